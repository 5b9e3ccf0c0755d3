/// Reads a GGUF header from its bytes. The only place where raw bytes of a file become values: every read is
/// compared with what is left before it is made.
struct GGUFCursor {
  /// Thrown where a value goes on past `bytes` although the file does not end there: read more and start again.
  struct NeedsMoreBytes: Error {}

  static let longestString: UInt64 = 16 << 20

  /// The beginning of the GGUF, as much of it as is at hand.
  let bytes: UnsafeRawBufferPointer
  /// Length of the GGUF, which may be more than is at hand.
  let total: UInt64
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer, total: UInt64, at offset: Int = 0) {
    self.bytes = bytes
    self.total = total
    self.offset = offset
  }

  /// Bytes from here to the end of the file.
  var remaining: UInt64 { total - UInt64(offset) }

  mutating func read<Value: FixedWidthInteger>(_: Value.Type, _ what: @autoclosure () -> String) throws -> Value {
    let size = MemoryLayout<Value>.size
    try need(UInt64(size), what())
    // Safety: `need` proved that `size` bytes follow `offset`.
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    offset += size
    return Value(littleEndian: value)
  }

  /// A length-prefixed string, as the range of its bytes.
  mutating func string(_ what: @autoclosure () -> String) throws -> Range<Int> {
    let start = offset
    let length = try read(UInt64.self, "the length of \(what())")
    guard length <= Self.longestString, length <= remaining else {
      throw MuserError(
        .string,
        "\(what()) at byte \(start) says that it is \(length) bytes long; \(remaining) bytes are left in the file "
          + "and \(Self.longestString) is the limit, so the file is damaged or cut short: download it again")
    }
    try need(length, what())
    let first = offset
    offset += Int(length)
    return first..<offset
  }

  mutating func skip(_ count: UInt64, _ what: @autoclosure () -> String) throws {
    try need(count, what())
    offset += Int(count)
  }

  /// Steps over `count` strings. A vocabulary has hundreds of thousands, so this loop does nothing but add lengths.
  mutating func skipStrings(_ count: UInt64, of key: @autoclosure () -> String) throws {
    var at = offset
    let end = bytes.count
    var left = count
    while left > 0, end - at >= 8 {
      // Safety: eight bytes are left after `at`.
      let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      guard length <= Self.longestString, length <= UInt64(end - at - 8) else { break }
      at += 8 + Int(length)
      left -= 1
    }
    offset = at
    // Where the quick loop stopped early, the careful reader says why.
    for index in (count - left)..<count { _ = try string("element \(index) of \(key())") }
  }

  private func need(_ count: UInt64, _ what: @autoclosure () -> String) throws {
    if count <= UInt64(bytes.count - offset) { return }
    if count <= remaining { throw NeedsMoreBytes() }
    throw MuserError(
      .range,
      "the file ends at byte \(total), in the middle of \(what()) at byte \(offset), so the file is cut short: "
        + "download it again")
  }
}
