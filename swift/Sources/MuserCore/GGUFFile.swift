#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A GGUF file, open and proven: its header, and its tensor data, mapped or read on demand.
public final class GGUFFile: Sendable {
  public let header: GGUFHeader
  /// Where the GGUF begins in the file.
  public let start: UInt64
  private let file: OpenFile
  private let lazyMapping: LazyMapping
  private let headerCopy: HeaderCopy?

  /// Opens the GGUF that begins `start` bytes into the file at `path`. `map` false reads instead of mapping, which
  /// costs a system call a row and survives a file that shrinks. `later` maps when `mapping` is first asked for.
  public init(path: String, start: UInt64 = 0, map: Bool = true, later: Bool = false) throws {
    let file = try OpenFile(path: path)
    guard file.size <= 1 << 53 else { throw MuserError(.limit, "it has \(file.size) bytes, and 2^53 is the limit") }
    guard start <= file.size else {
      throw MuserError(.argument, "the offset \(start) is past the end of the file, which has \(file.size) bytes")
    }
    self.file = file
    self.start = start
    lazyMapping = LazyMapping(file, allowed: map)
    if !later, let mapping = lazyMapping.value {
      headerCopy = nil
      let bytes = UnsafeRawBufferPointer(rebasing: mapping.bytes[Int(start)...])
      header = try GGUFHeader(parsing: bytes, total: UInt64(bytes.count))
      // Not sooner: a header is read from front to back.
      mapping.adviseRandom()
    } else {
      let (copy, header) = try HeaderCopy.read(file, start: start)
      headerCopy = copy
      self.header = header
    }
  }

  /// The whole file in memory, mapped now at the latest; `nil` where rows are read instead.
  public var mapping: Mapping? { lazyMapping.value }
  public var isMapped: Bool { lazyMapping.isMade }
  public var path: String { file.path }
  public var fileSize: UInt64 { file.size }

  /// The header's bytes.
  public var headerBytes: UnsafeRawBufferPointer {
    let bytes = headerCopy?.bytes ?? mapping.map { UnsafeRawBufferPointer(rebasing: $0.bytes[Int(start)...]) }
    return UnsafeRawBufferPointer(rebasing: bytes![..<header.bytes])
  }

  /// Every tensor, in the file's order.
  public func tensors() throws -> [GGUFTensor] {
    let bytes = headerBytes
    return try readingAgain { try header.tensorRecords.map { try tensor(at: $0, in: bytes) } }
  }

  /// The tensor of this name, `nil` where there is none.
  public func tensor(named name: String) throws -> GGUFTensor? {
    let bytes = headerBytes
    let name = Array(name.utf8)
    return try readingAgain {
      let record = try header.tensorRecords.first { try header.isTensor(at: $0, named: name, in: bytes) }
      return try record.map { try tensor(at: $0, in: bytes) }
    }
  }

  private func tensor(at record: Int, in bytes: UnsafeRawBufferPointer) throws -> GGUFTensor {
    let tensor = try header.tensor(at: record, in: bytes)
    try header.proveRange(of: tensor, bytes, total: fileSize - start)
    return tensor
  }

  /// Records that are read again are proven again: whoever rewrites a mapped file changes what was proven.
  private func readingAgain<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw MuserError(.changed, "the file was rewritten since it was opened; open the model again")
    }
  }

  /// The key's entry, `nil` where there is none.
  public func metadata(_ key: String) -> GGUFHeader.Metadata? {
    header.metadata.first { headerBytes[$0.key].elementsEqual(key.utf8) }
  }

  /// The value of a string key.
  public func string(_ key: String) -> String? {
    guard let entry = metadata(key), entry.type == .string else { return nil }
    return headerBytes[entry.value].dropFirst(8).asText
  }

  /// The value of an unsigned or non-negative integer key.
  public func integer(_ key: String) -> UInt64? {
    guard let entry = metadata(key) else { return nil }
    let at = entry.value.lowerBound
    switch entry.type {
    case .uint8: return UInt64(headerBytes[at])
    case .uint16: return UInt64(headerBytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
    case .uint32: return UInt64(headerBytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    case .uint64: return headerBytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
    case .int8: return UInt64(exactly: headerBytes.loadUnaligned(fromByteOffset: at, as: Int8.self))
    case .int16: return UInt64(exactly: headerBytes.loadUnaligned(fromByteOffset: at, as: Int16.self))
    case .int32: return UInt64(exactly: headerBytes.loadUnaligned(fromByteOffset: at, as: Int32.self))
    case .int64: return UInt64(exactly: headerBytes.loadUnaligned(fromByteOffset: at, as: Int64.self))
    default: return nil
    }
  }

  /// Copies bytes of the header: `target.count` of them from `offset` on.
  public func readHeader(into target: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    guard offset <= UInt64(header.bytes), target.count <= header.bytes - Int(offset) else {
      throw MuserError(
        .argument, "Cannot read \(target.count) bytes at \(offset) of the header: it has \(header.bytes) bytes")
    }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: headerBytes[Int(offset)..<Int(offset) + target.count]))
  }

  /// Reads tensor data that is not mapped: `target.count` bytes from `offset` after the GGUF's start.
  public func read(into target: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    try MuserError.naming("read \(path)") { try file.read(into: target, from: start + offset) }
  }

  /// Fails with `changed` where the open file was rewritten or cut.
  public func checkContents() throws { try MuserError.naming("use \(path)") { try file.checkContents() } }

  /// Fails with `changed` where the file of that name is no longer the one that was opened.
  public func check() throws { try file.check() }
}

/// A header read into memory, for files that are not mapped.
private final class HeaderCopy: @unchecked Sendable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  deinit { free(memory.baseAddress) }

  /// Reads more of the file until the header is whole: its length is known only once it has been read.
  static func read(_ file: OpenFile, start: UInt64) throws -> (HeaderCopy, GGUFHeader) {
    let total = file.size - start
    let copy = HeaderCopy()
    var parser = GGUFHeader.Parser()
    var length = min(total, 1 << 20)
    while true {
      try copy.grow(to: Int(length), file, start: start)
      do {
        return (copy, try parser.parse(copy.bytes, total: total))
      } catch is GGUFCursor.NeedsMoreBytes {
        // No step is longer than 8 MiB or a quarter of what is there: that much more than the header may be held.
        length = min(total, length + min(length * 3, max(8 << 20, length / 4)))
      }
    }
  }

  private func grow(to length: Int, _ file: OpenFile, start: UInt64) throws {
    let old = memory.count
    memory = UnsafeMutableRawBufferPointer(start: try HostMemory.grow(memory.baseAddress, to: length), count: length)
    try file.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[old...]), from: start + UInt64(old))
  }
}

/// A mapping that is made when it is first asked for.
private final class LazyMapping: @unchecked Sendable {
  private let file: OpenFile
  private let allowed: Bool
  private let lock = Lock()
  private var made: Mapping?

  init(_ file: OpenFile, allowed: Bool) {
    self.file = file
    self.allowed = allowed
  }

  var isMade: Bool { lock.locked { made != nil } }

  var value: Mapping? {
    guard allowed else { return nil }
    return lock.locked {
      if made == nil { made = Mapping(file) }
      return made
    }
  }
}
