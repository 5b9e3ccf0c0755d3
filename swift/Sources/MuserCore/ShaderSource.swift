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
    // By bytes: finding the borders of characters in all of this text takes tens of milliseconds.
    for (index, bytes) in file.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = Substring(bytes)
      if let name = includedName(line) {
        flatten(folder(of: path) + name, into: &text, &included)
        text += "#line \(index + 2) \"\(path)\"\n"
      } else {
        text += line == "#pragma once" ? "" : line
        text += "\n"
      }
    }
  }

  /// The name between quotes, where the line includes a file of ours.
  private static func includedName(_ line: Substring) -> String? {
    let start = "#include \""
    guard line.utf8.starts(with: start.utf8), line.utf8.last == UInt8(ascii: "\"") else { return nil }
    return String(line.dropFirst(start.utf8.count).dropLast())
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
