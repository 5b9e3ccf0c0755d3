extension GGUFHeader {
  static let mostMetadata: UInt64 = 100_000
  static let mostTensors: UInt64 = 1_000_000
  static let mostElements: UInt64 = 16 << 20
  static let largestAlignment: UInt32 = 1 << 20

  /// Reads and proves the header at the beginning of `bytes`, which belong to a GGUF of `total` bytes.
  /// Work and memory are proportional to the header.
  init(parsing bytes: UnsafeRawBufferPointer, total: UInt64) throws {
    var cursor = GGUFCursor(bytes, total: total)
    version = try Self.parseVersion(&cursor)
    let tensorCount = try Self.parseCount(&cursor, of: "tensors", smallest: 24, limit: Self.mostTensors)
    let metadataCount = try Self.parseCount(&cursor, of: "metadata keys", smallest: 14, limit: Self.mostMetadata)

    var metadata: [Metadata] = []
    metadata.reserveCapacity(metadataCount)
    var keys = NameSet(capacity: metadataCount)
    for _ in 0..<metadataCount {
      let entry = try Self.parseMetadata(&cursor)
      guard keys.insert(entry.key, in: bytes) else {
        throw MuserError(.duplicate, "the metadata key \"\(bytes.text(entry.key))\" is there twice; write it once")
      }
      metadata.append(entry)
    }
    self.metadata = metadata
    alignment = try Self.alignment(of: metadata, in: bytes)

    var records: [Int] = []
    records.reserveCapacity(tensorCount)
    var names = NameSet(capacity: tensorCount)
    for _ in 0..<tensorCount {
      records.append(cursor.offset)
      let tensor = try GGUFTensor(parsing: &cursor)
      guard names.insert(tensor.name, in: bytes) else {
        throw MuserError(.duplicate, "the tensor \"\(bytes.text(tensor.name))\" is there twice; write it once")
      }
    }
    tensorRecords = records
    self.bytes = cursor.offset
    // Memory has fewer than 2^63 bytes, so the sum cannot overflow.
    dataOffset = (UInt64(cursor.offset) + (alignment - 1)) & ~(alignment - 1)
    try proveRanges(bytes, total: total)
  }

  private static func parseVersion(_ cursor: inout GGUFCursor) throws -> UInt32 {
    guard cursor.total >= 24, cursor.bytes.prefix(4).elementsEqual("GGUF".utf8) else {
      throw MuserError(.badMagic, notGGUF(cursor))
    }
    try cursor.skip(4, "the magic bytes")
    let version = try cursor.read(UInt32.self, "the version")
    guard version == 0 || version & 0xFFFF != 0 else {
      throw MuserError(.byteOrder, "it is a GGUF file in the other byte order; convert it to little-endian")
    }
    guard version == 2 || version == 3 else {
      throw MuserError(.version, "it is GGUF version \(version), and versions 2 and 3 can be read; convert it again")
    }
    return version
  }

  /// What the file is instead, for the kinds that people really have in place of a model.
  private static func notGGUF(_ cursor: GGUFCursor) -> String {
    let beginning = cursor.bytes.prefix(64)
    if cursor.total == 0 { return "the file is empty, so the download did not begin; download it again" }
    if beginning.starts(with: "version https://git-lfs".utf8) {
      return "it is a Git LFS pointer in place of the model; run `git lfs pull`, or download the model itself"
    }
    if beginning.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      return "it is a web page in place of the model; a download that needed a login or a licence often ends so"
    }
    if beginning.starts(with: [0x00, 0x05, 0x16, 0x07]) {
      return "it is a macOS companion file (its name begins with \"._\"); open the model beside it"
    }
    if beginning.starts(with: "GGUF".utf8) {
      return "the file has \(cursor.total) bytes, and the smallest GGUF file has 24; download it again"
    }
    return "it is no GGUF file: it does not begin with the bytes \"GGUF\"; point to a .gguf model"
  }

  private static func parseCount(
    _ cursor: inout GGUFCursor, of what: String, smallest: UInt64, limit: UInt64
  ) throws -> Int {
    let count = try cursor.read(UInt64.self, "the number of \(what)")
    guard count <= limit, count <= cursor.remaining / smallest else {
      throw MuserError(
        .count,
        "it says that it has \(count) \(what); at most \(min(limit, cursor.remaining / smallest)) can be in a file "
          + "of \(cursor.total) bytes, so the file is damaged or cut short: download it again")
    }
    return Int(count)
  }

  private static func parseMetadata(_ cursor: inout GGUFCursor) throws -> Metadata {
    let start = cursor.offset
    let key = try cursor.string("a metadata key")
    guard (1...65_535).contains(key.count) else {
      throw MuserError(
        .string,
        "the metadata key at byte \(start) is \(key.count) bytes long, and 1 to 65535 can be; convert it again")
    }
    let bytes = cursor.bytes
    let name = { "the value of \"\(bytes.text(key))\"" }
    let type = try parseType(&cursor, name())
    switch type {
    case .array:
      let element = try parseType(&cursor, "an element of \"\(bytes.text(key))\"")
      guard element != .array else {
        throw MuserError(.kvType, "\(name()) is an array of arrays, which no reader accepts; convert it again")
      }
      let count = try cursor.read(UInt64.self, name())
      guard count <= mostElements, count <= cursor.remaining / (element.size ?? 8) else {
        throw MuserError(
          .array,
          "\(name()) says that it has \(count) elements; \(cursor.remaining) bytes are left in the file and "
            + "\(mostElements) elements are the limit, so the file is damaged or cut short: download it again")
      }
      let first = cursor.offset
      if let size = element.size {
        try cursor.skip(count * size, name())
      } else {
        try cursor.skipStrings(count, of: "\"\(bytes.text(key))\"")
      }
      return Metadata(key: key, type: type, element: element, count: count, value: first..<cursor.offset)
    default:
      let first = cursor.offset
      if let size = type.size { try cursor.skip(size, name()) } else { _ = try cursor.string(name()) }
      return Metadata(key: key, type: type, element: nil, count: 1, value: first..<cursor.offset)
    }
  }

  private static func parseType(_ cursor: inout GGUFCursor, _ what: @autoclosure () -> String) throws -> MetadataType {
    let number = try cursor.read(UInt32.self, what())
    guard let type = MetadataType(rawValue: number) else {
      throw MuserError(
        .kvType, "\(what()) has type \(number), and the format has types 0 to 12; convert it again")
    }
    return type
  }

  private static func alignment(of metadata: [Metadata], in bytes: UnsafeRawBufferPointer) throws -> UInt64 {
    guard let entry = metadata.first(where: { bytes[$0.key].elementsEqual("general.alignment".utf8) }) else {
      return 32
    }
    guard entry.type == .uint32 else {
      throw MuserError(
        .alignment,
        "\"general.alignment\" is of type \(entry.type.name), and the format wants uint32; convert it again")
    }
    var cursor = GGUFCursor(bytes, total: UInt64(bytes.count), at: entry.value.lowerBound)
    let alignment = try cursor.read(UInt32.self, "general.alignment")
    guard alignment.nonzeroBitCount == 1, alignment <= largestAlignment else {
      throw MuserError(
        .alignment,
        "\"general.alignment\" is \(alignment), and a power of two from 1 to \(largestAlignment) can be; convert it "
          + "again")
    }
    return UInt64(alignment)
  }
}
