import MuserShaders

/// The shader text that devices compile.
public enum ShaderSource {
  /// The files, by their path from shaders/ on.
  static let files = {
    var files: [String: String] = [:]
    while let shader = muser_shader_at(UInt32(files.count)) {
      files[String(cString: shader.pointee.path)] = String(cString: shader.pointee.text)
    }
    return files
  }()

  /// The file at `path` as one text: each file that it includes is put in its place, once, between `#line` marks, so that
  /// a compiler's messages name the real file. An include of a file that does not exist stays, for the compiler to report.
  public static func flattened(_ path: String) -> String {
    var text = ""
    var included: Set<String> = []
    flatten(path, into: &text, &included)
    return text
  }

  private static func flatten(_ path: String, into text: inout String, _ included: inout Set<String>) {
    guard let file = files[path] else { return text += "#include \"\(path)\"\n" }
    guard included.insert(path).inserted else { return }
    text += "#line 1 \"\(path)\"\n"
    for (index, line) in file.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let name = includedName(line) {
        flatten(folder(of: path) + String(name), into: &text, &included)
        text += "#line \(index + 2) \"\(path)\"\n"
      } else {
        text += line == "#pragma once" ? "\n" : "\(line)\n"
      }
    }
  }

  /// The name between quotes, where the line includes a file of ours.
  private static func includedName(_ line: Substring) -> Substring? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "#include " ? parts[1] : nil
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
