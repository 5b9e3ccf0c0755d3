@testable import MuserCore

extension FileCase {
  /// V01: magic, version, byte order, and what people really have in place of a model.
  static let beginnings: [FileCase] = [
    FileCase("a file without tensors and metadata", nil, bytes: GGUFBuilder.empty.bytes),
    FileCase("a header of exactly 24 bytes", nil, bytes: Array(GGUFBuilder.empty.bytes.prefix(24))),
    FileCase("a header of 23 bytes", .badMagic, says: ["23 bytes"], bytes: Array(GGUFBuilder.empty.bytes.prefix(23))),
    FileCase("a file of the four magic bytes", .badMagic, says: ["4 bytes", "24"], bytes: Array("GGUF".utf8)),
    FileCase("an empty file", .badMagic, says: ["is empty"], bytes: []),
    FileCase("a file of one byte", .badMagic, says: ["\"GGUF\""], bytes: [0x47]),
    FileCase("the magic FUGG", .badMagic, says: ["\"GGUF\""]) { $0.magic = Array("FUGG".utf8) },
    FileCase("the magic GGUX", .badMagic) { $0.magic = Array("GGUX".utf8) },
    FileCase("the magic XGUF", .badMagic) { $0.magic = Array("XGUF".utf8) },
    FileCase("the magic in small letters", .badMagic, says: ["\"GGUF\""]) { $0.magic = Array("gguf".utf8) },
    FileCase("the magic of the older format GGML", .badMagic, says: ["\"GGUF\""]) { $0.magic = Array("lmgg".utf8) },
    FileCase("version 0", .version, says: ["version 0"]) { $0.version = 0 },
    FileCase("version 1", .version, says: ["version 1"]) { $0.version = 1 },
    FileCase("version 2") { $0.version = 2 },
    FileCase("version 3") { $0.version = 3 },
    FileCase("version 4", .version, says: ["version 4"]) { $0.version = 4 },
    FileCase("version 2^32 - 1", .version, says: ["version 4294967295"]) { $0.version = .max },
    FileCase("version 3 in the other byte order", .byteOrder, says: ["byte order"]) { $0.bigEndian = true },
    FileCase("version 2 in the other byte order", .byteOrder, says: ["byte order"]) {
      $0.version = 2
      $0.bigEndian = true
    },
    FileCase("version 65,536", .byteOrder) { $0.version = 65_536 },
    FileCase("version 65,535", .version) { $0.version = 65_535 },
    FileCase(
      "a Git LFS pointer", .badMagic, says: ["Git LFS pointer", "git lfs pull"],
      bytes: Array("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 16756681056\n".utf8)),
    FileCase(
      "an HTML page", .badMagic, says: ["web page"],
      bytes: Array("<!DOCTYPE html><html><title>Sign in</title></html>".utf8)),
    FileCase("an HTML page after empty lines", .badMagic, says: ["web page"], bytes: Array("\r\n\n  <html>".utf8)),
    FileCase("an XML error", .badMagic, says: ["web page"], bytes: Array("<?xml?><Error>AccessDenied</Error>".utf8)),
    FileCase(
      "a macOS companion file", .badMagic, says: ["\"._\"", "beside it"],
      bytes: [0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00] + Array(repeating: 0, count: 4088)),
    FileCase("a file of zeros", .badMagic, says: ["\"GGUF\""], bytes: Array(repeating: 0, count: 4096)),
    FileCase("bytes after the last padding") { $0.tensors[1].data += Array(repeating: 7, count: 64) },
  ]

  /// V02: how many tensors and keys a file of this size can have. The limits that need a larger file are in LimitTests.
  static let counts: [FileCase] = [
    FileCase("2^64 - 1 tensors", .count, says: ["18446744073709551615 tensors"]) { $0.tensorCount = .max },
    FileCase("2^63 tensors", .count, says: ["tensors"]) { $0.tensorCount = 1 << 63 },
    FileCase("2^32 tensors", .count, says: ["tensors"]) { $0.tensorCount = 1 << 32 },
    FileCase("2^64 - 1 keys", .count, says: ["18446744073709551615 metadata keys"]) { $0.metadataCount = .max },
    FileCase("2^63 keys", .count, says: ["metadata keys"]) { $0.metadataCount = 1 << 63 },
    FileCase("2^32 keys", .count, says: ["metadata keys"]) { $0.metadataCount = 1 << 32 },
    FileCase("as many keys as bytes are left for", nil, bytes: smallestKeys(stated: 3)),
    FileCase("one key fewer than bytes are left for", nil, bytes: smallestKeys(stated: 2)),
    FileCase("one key more than bytes are left for", .count, says: ["4 metadata keys", "at most 3"], bytes: smallestKeys(stated: 4)),
    FileCase("as many tensors as bytes are left for", .string, bytes: tensorsOf24Bytes(stated: 2)),
    FileCase("one tensor more than bytes are left for", .count, says: ["3 tensors", "at most 2"], bytes: tensorsOf24Bytes(stated: 3)),
    FileCase("one tensor more than there are", .string, bytes: smallestTensors(stated: 3)),
    FileCase("one tensor fewer than there are", nil, bytes: smallestTensors(stated: 1)),
  ]

  /// Three keys of 14 bytes each, the fewest that a key can take.
  private static func smallestKeys(stated: UInt64) -> [UInt8] {
    var file = GGUFBuilder.of(.init("a", .u8(1)), .init("b", .u8(2)), .init("c", .u8(3)))
    file.metadataCount = stated
    file.hasLastPadding = false
    return file.bytes
  }

  /// Two tensors of 25 bytes each, the fewest that a tensor can take, and 14 bytes of padding and data.
  private static func smallestTensors(stated: UInt64) -> [UInt8] {
    var file = GGUFBuilder.of(.init("a", 24, [], bytes: 0), .init("b", 24, [], bytes: 0))
    file.tensors[0].data = [1]
    file.tensors[1].data = [2]
    file.tensorCount = stated
    return file.bytes
  }

  /// Two records that would be 24 bytes long if a name could be empty.
  private static func tensorsOf24Bytes(stated: UInt64) -> [UInt8] {
    var file = GGUFBuilder.empty
    file.tensorCount = stated
    return Array(file.bytes.prefix(24)) + Array(repeating: 0, count: 48)
  }
}
