extension GGUFHeader {
  static let mostMetadata: UInt64 = 100_000
  static let mostTensors: UInt64 = 1_000_000
  static let mostElements: UInt64 = 16 << 20
  static let largestAlignment: UInt32 = 1 << 20

  /// Reads and proves the header at the beginning of `bytes`, which belong to a GGUF of `total` bytes.
  /// Work and memory are proportional to the header.
  init(parsing bytes: UnsafeRawBufferPointer, total: UInt64) throws {
    var parser = Parser()
    self = try parser.parse(bytes, total: total)
  }

  /// Reads a header from front to back. Where there are no more bytes before its end, it goes on from the last entry
  /// that it has read once there are.
  struct Parser {
    private var version: UInt32 = 0
    private var tensorCount = 0
    private var metadataCount = 0
    private var metadata: [Metadata] = []
    private var records: [Int] = []
    private var keys = NameSet(capacity: 0)
    private var names = NameSet(capacity: 0)
    /// The end of what has been read.
    private var end = 0

    /// `bytes` begin with those that it was given before.
    mutating func parse(_ bytes: UnsafeRawBufferPointer, total: UInt64) throws -> GGUFHeader {
      var cursor = GGUFCursor(bytes, total: total, at: end)
      if end == 0 { try parseBeginning(&cursor) }
      while metadata.count < metadataCount {
        let entry = try parseMetadata(&cursor)
        guard keys.insert(entry.key, in: bytes) else {
          throw MuserError(.duplicate, "the metadata key \"\(bytes.text(entry.key))\" is there twice; write it once")
        }
        metadata.append(entry)
        end = cursor.offset
      }
      let alignment = try alignment(of: metadata, in: bytes)
      while records.count < tensorCount {
        let tensor = try GGUFTensor(parsing: &cursor)
        guard names.insert(tensor.name, in: bytes) else {
          throw MuserError(.duplicate, "the tensor \"\(bytes.text(tensor.name))\" is there twice; write it once")
        }
        records.append(end)
        end = cursor.offset
      }
      names = NameSet(capacity: 0)
      let header = GGUFHeader(
        version: version, alignment: alignment, metadata: metadata, tensorRecords: records, bytes: end)
      try header.proveRanges(bytes, total: total)
      return header
    }

    private mutating func parseBeginning(_ cursor: inout GGUFCursor) throws {
      version = try parseVersion(&cursor)
      tensorCount = try parseCount(&cursor, of: "tensors", smallest: 24, limit: mostTensors)
      metadataCount = try parseCount(&cursor, of: "metadata keys", smallest: 14, limit: mostMetadata)
      metadata.reserveCapacity(metadataCount)
      records.reserveCapacity(tensorCount)
      keys = NameSet(capacity: metadataCount)
      names = NameSet(capacity: tensorCount)
      end = cursor.offset
    }
  }

  private init(version: UInt32, alignment: UInt64, metadata: [Metadata], tensorRecords: [Int], bytes: Int) {
    self.version = version
    self.alignment = alignment
    self.metadata = metadata
    self.tensorRecords = tensorRecords
    self.bytes = bytes
    // Memory has fewer than 2^63 bytes, so the sum cannot overflow.
    dataOffset = (UInt64(bytes) + (alignment - 1)) & ~(alignment - 1)
  }

  fileprivate static func parseVersion(_ cursor: inout GGUFCursor) throws -> UInt32 {
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

  fileprivate static func parseCount(
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

  fileprivate static func parseMetadata(_ cursor: inout GGUFCursor) throws -> Metadata {
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

  fileprivate static func parseType(_ cursor: inout GGUFCursor, _ what: @autoclosure () -> String) throws -> MetadataType {
    let number = try cursor.read(UInt32.self, what())
    guard let type = MetadataType(rawValue: number) else {
      throw MuserError(
        .kvType, "\(what()) has type \(number), and the format has types 0 to 12; convert it again")
    }
    return type
  }

  fileprivate static func alignment(of metadata: [Metadata], in bytes: UnsafeRawBufferPointer) throws -> UInt64 {
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
