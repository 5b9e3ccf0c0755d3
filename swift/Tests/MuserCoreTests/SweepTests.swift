import Foundation
import Testing

@testable import MuserCore

/// Every beginning and every flipped bit of ten small files: refused cleanly, or read and proven anew.
struct SweepTests {
  private static let folder = URL(filePath: #filePath).appending(path: "../../../../tests/fuzz/corpus/header").standardized

  private static let files: [String] = [
    "alignment-1", "alignment-1024", "arrays", "empty-and-unknown", "llama", "names", "q4k", "q8", "scalars", "version-2",
  ]

  /// One bit in so many is flipped; 11 is no multiple of 8, so that all places in a byte occur. `MUSER_SWEEP=1` flips
  /// every bit, which takes minutes where the library is not optimised.
  private static let stride = ProcessInfo.processInfo.environment["MUSER_SWEEP"].flatMap(Int.init) ?? 11

  private func content(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appending(path: "\(name).gguf")))
  }

  @Test(arguments: files)
  func noBeginningOfAFileEndsTheProcessOrIsTakenForAWhole(_ name: String) throws {
    let file = try content(name)
    let whole = file.withUnsafeBytes { answer($0, total: UInt64(file.count)) }
    for length in 0..<file.count {
      // From the heap, so that the address sanitizer sees a read past the end.
      let beginning = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
      defer { beginning.deallocate() }
      beginning.copyBytes(from: file.prefix(length))
      let alone = answer(UnsafeRawBufferPointer(beginning), total: UInt64(length))
      #expect(alone != .needsMore)
      let part = answer(UnsafeRawBufferPointer(beginning), total: UInt64(file.count))
      #expect(part == .needsMore || part == whole || length < 64)
    }
  }

  @Test(arguments: files)
  func noFlippedBitEndsTheProcessOrPassesUnproven(_ name: String) throws {
    var file = try content(name)
    for bit in Swift.stride(from: 0, to: file.count * 8, by: Self.stride) {
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      defer { file[bit / 8] ^= 1 << UInt8(bit % 8) }
      #expect(file.withUnsafeBytes { answer($0, total: UInt64(file.count)) } != .needsMore)
    }
  }
}
