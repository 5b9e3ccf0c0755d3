import Foundation
import Testing

@testable import MuserCore

struct ShaderSourceTests {
  private let folder = URL(filePath: #filePath).appending(path: "../../../../shaders").standardized

  @Test func everyFileOfShadersIsEmbeddedWordForWord() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".h") || $0.hasSuffix(".metal") }
    for path in paths {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(ShaderSource.files[path] == text, "\(path) is not in swift/Sources/MuserShaders/shaders.c")
    }
    #expect(ShaderSource.files.count == paths.count)
  }

  @Test func everyOperationFlattensToOneTextWithItsEntries() {
    let embedding = ShaderSource.flattened("embedding.metal")
    let lines = embedding.split(separator: "\n")
    for type in TensorType.all where type.kernel != nil {
      #expect(Kernel.embedding(type).source == "embedding.metal")
      #expect(lines.contains { $0.hasPrefix("  ROW(\(type.name), ") })
    }
    let norm = ShaderSource.flattened(Kernel.rmsNorm.source)
    #expect(norm.contains("kernel void \(Kernel.rmsNorm.name)("))
    for text in [embedding, norm] {
      #expect(text.split(separator: "\n").allSatisfy { !$0.hasPrefix("#include \"") })
    }
  }

  @Test func aFileIsPutInOnceAndItsLinesKeepTheirNumbers() throws {
    let text = ShaderSource.flattened("embedding.metal")
    #expect(text.components(separatedBy: "\nstruct MuserEmbeddingArguments {").count == 2)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let entry = "MUSER_TYPES(MUSER_EMBEDDING)"
    let mark = try #require(lines.lastIndex { $0.hasPrefix("#line ") && $0.hasSuffix(" \"embedding.metal\"") })
    let start = try #require(Int(lines[mark].split(separator: " ")[1]))
    let original = try #require(ShaderSource.files["embedding.metal"]).split(
      separator: "\n", omittingEmptySubsequences: false)
    let number = try #require(lines.lastIndex { $0 == entry }) - mark - 1 + start
    #expect(original[number - 1] == entry)
  }

  @Test func anIncludeOfAMissingFileIsLeftForTheCompilerToReport() {
    #expect(ShaderSource.flattened("absent.metal") == "#include \"absent.metal\"\n")
  }
}
