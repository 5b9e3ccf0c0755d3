import Testing

@testable import MuserCore

/// The table of malformed files: each is refused with its code, in every way of opening it, and says where and what to do.
struct MalformedFileTests {
  @Test(arguments: FileCase.all + Difference.all.map(\.file))
  func everyFileHasItsOutcomeInEveryWayOfOpeningIt(_ file: FileCase) throws {
    #expect(try outcome(file.bytes) == file.expected)
    let plain = try TemporaryFile(file.bytes)
    let embedded = try TemporaryFile(Array("prefix ".utf8) + file.bytes)
    for map in [true, false] {
      #expect(try attempt { _ = try GGUFFile(path: plain.path, map: map) }.outcome == file.expected, "map: \(map)")
      #expect(
        try attempt { _ = try GGUFFile(path: embedded.path, start: 7, map: map) }.outcome == file.expected,
        "7 bytes into a file, map: \(map)")
    }
  }

  @Test(arguments: FileCase.all.filter { $0.code != nil })
  func everyRefusalNamesTheFileThePlaceAndARemedy(_ file: FileCase) throws {
    let plain = try TemporaryFile(file.bytes)
    let engine = DeviceEngine(try CPUDevice())
    let message = try attempt { _ = try Model(paths: [plain.path], start: 0, map: true, engine: engine) }.message
    #expect(message.hasPrefix("Cannot open \(plain.path): "))
    #expect(message.count <= 1000)
    for word in file.says { #expect(message.contains(word), "\(message) says nothing of \(word)") }
    #expect(Self.remedies.contains { message.contains($0) }, "\(message) says nothing that would help")
  }

  @Test func theTableHasAtLeast150FilesAndEveryCodeOfTheFormat() {
    #expect(FileCase.all.count >= 150)
    let codes = Set(FileCase.all.compactMap(\.code))
    let format: [MuserError.Code] = [
      .badMagic, .byteOrder, .version, .count, .string, .kvType, .array, .duplicate, .alignment, .shape, .row, .range, .overlap,
    ]
    #expect(codes == Set(format))
  }

  private static let remedies = [
    "download it again", "convert it again", "convert it to little-endian", "git lfs pull", "point to a .gguf model",
    "open the model beside it", "a download that needed a login or a licence", "write it once",
  ]
}
