import Foundation
import Testing

@testable import MuserCore

/// Limits that a small file cannot reach: the header states a length, and the file is said to be long enough for it.
struct LimitTests {
  /// Longer than anything that a header can ask for.
  private static let longFile: UInt64 = 1 << 50

  @Test func aFileHasAtMost100_000Keys() throws {
    for (count, expected) in around(100_000, .count) {
      var file = GGUFBuilder.empty
      file.metadataCount = count
      #expect(try outcome(Array(file.bytes.prefix(24)), total: Self.longFile) == expected)
    }
  }

  @Test func aFileHasAtMost1_000_000Tensors() throws {
    for (count, expected) in around(1_000_000, .count) {
      var file = GGUFBuilder.empty
      file.tensorCount = count
      #expect(try outcome(Array(file.bytes.prefix(24)), total: Self.longFile) == expected)
    }
  }

  @Test func aStringHasAtMost16MiB() throws {
    for (length, expected) in around(16 << 20, .string) {
      let value = GGUFBuilder.of(.init("a", .text([65], length: length)))
      let element = GGUFBuilder.of(.init("a", .array(8, 1, littleEndian(length))))
      var key = GGUFBuilder.of(.init("a", .u8(1)))
      key.pairs[0].keyLength = length
      var name = GGUFBuilder.of(.init("a"))
      name.tensors[0].nameLength = length
      for file in [value, element, key, name] {
        #expect(try outcome(file.bytes, total: Self.longFile) == expected)
      }
    }
  }

  /// One below the limit, the limit, and one above.
  private func around(_ limit: UInt64, _ code: MuserError.Code) -> [(UInt64, Outcome)] {
    [(limit - 1, .needsMore), (limit, .needsMore), (limit + 1, .refused(code))]
  }

  @Test func anArrayHasAtMost16MiElements() throws {
    for element in UInt32(0)...12 where element != 9 {
      for (count, expected) in around(16 << 20, .array) {
        let file = GGUFBuilder.of(.init("a", .array(element, count)))
        #expect(try outcome(file.bytes, total: Self.longFile) == expected)
      }
    }
  }

  @Test func stringsAndArraysOfTheLargestSizeCanBeRead() throws {
    let text = Array(repeating: UInt8(65), count: 16 << 20)
    let file = GGUFBuilder.of(.init("text", .text(text)), .init("list", .array(0, 16 << 20, text)))
    let header = try parse(file.bytes)
    #expect(header.metadata.map(\.count) == [1, 16 << 20])
    #expect(header.metadata.map(\.value.count) == [(16 << 20) + 8, 16 << 20])
  }

  @Test func anElementLongerThan16MiBIsRefusedWhereAllOfItIsThere() throws {
    let text = Array(repeating: UInt8(65), count: (16 << 20) + 1)
    let file = GGUFBuilder.of(.init("list", .array(8, 1, littleEndian(UInt64(text.count)) + text)))
    #expect(try outcome(file.bytes) == .refused(.string))
  }

  /// Every beginning of a file either needs more bytes or answers as the whole file does, so that reading a header in
  /// parts cannot change the answer.
  @Test(arguments: FileCase.all.filter { $0.bytes.count < 320 })
  func noBeginningOfAFileIsTakenForTheWhole(_ file: FileCase) throws {
    try file.bytes.withUnsafeBytes { bytes in
      for length in 24..<max(24, bytes.count) {
        let beginning = UnsafeRawBufferPointer(rebasing: bytes[..<length])
        let answer = try attempt { _ = try GGUFHeader(parsing: beginning, total: UInt64(bytes.count)) }.outcome
        // No use of the macro for each of the many: it takes longer than the reading.
        if answer != .needsMore && answer != file.expected { Issue.record("\(answer) at \(length) bytes") }
      }
    }
  }

  /// The first read of a header that is not mapped ends after 1 MiB: wherever a value lies across that edge, the answer
  /// is the same.
  @Test(arguments: -24...2)
  func aHeaderAcrossTheEdgeOfAReadIsReadWhole(_ shift: Int) throws {
    let padding = Array(repeating: UInt8(65), count: (1 << 20) + shift - 44)
    var file = GGUFBuilder.sound
    file.pairs = [.init("padding", .text(padding)), .init("texts", .texts(["one", "two"])), .init("number", .u64(7))] + file.pairs
    let stored = try TemporaryFile(file.bytes)
    let mapped = try GGUFFile(path: stored.path)
    let read = try GGUFFile(path: stored.path, map: false)
    #expect(read.mapping == nil)
    #expect(read.header.metadata.map(\.value) == mapped.header.metadata.map(\.value))
    #expect(read.integer("number") == 7)
    #expect(try read.tensors().map(\.offset) == mapped.tensors().map(\.offset))
    withExtendedLifetime((read, mapped)) { #expect(haveSameHeader(read, mapped)) }
  }

  private func haveSameHeader(_ one: GGUFFile, _ other: GGUFFile) -> Bool {
    let (mine, others) = (one.headerBytes, other.headerBytes)
    return mine.count == others.count && memcmp(mine.baseAddress!, others.baseAddress!, mine.count) == 0
  }

  @Test func aHeaderOfSeveralReadsIsReadWhole() throws {
    var file = GGUFBuilder.sound
    let text = littleEndian(UInt64(20)) + Array(repeating: 65, count: 20)
    file.pairs.append(.init("tokens", .array(8, 400_000, Array(repeatElement(text, count: 400_000).joined()))))
    let stored = try TemporaryFile(file.bytes)
    let read = try GGUFFile(path: stored.path, map: false)
    #expect(read.header.bytes > 8 << 20)
    let mapped = try GGUFFile(path: stored.path)
    withExtendedLifetime((read, mapped)) { #expect(haveSameHeader(read, mapped)) }
  }
}
