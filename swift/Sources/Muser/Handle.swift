import MuserABI
import MuserCore

/// What a table's handle points to: existentials have no address of their own.
final class Table {
  let rows: any RowTable
  init(_ rows: any RowTable) { self.rows = rows }
}

/// What a session's handle points to.
final class SessionHandle {
  let session: any Session
  init(_ session: any Session) { self.session = session }
}

/// Runs `body` and gives its object out as a handle, NULL where it throws.
func create(_ error: Bytes, _ body: () throws -> AnyObject) -> UnsafeMutableRawPointer? {
  var handle: UnsafeMutableRawPointer?
  _ = status(error) { handle = Unmanaged.passRetained(try body()).toOpaque() }
  return handle
}

/// Runs `body`: the number that it gives, or -1.
func number(_ error: Bytes, _ body: () throws -> UInt32) -> Int32 {
  var number: Int32 = -1
  _ = status(error) { number = Int32(clamping: try body()) }
  return number
}

/// The caller's array, which may be NULL only where it is empty.
func given<Pointer>(_ array: Pointer?, _ count: some BinaryInteger) throws -> Pointer? {
  if array == nil, count > 0 {
    throw MuserError(.argument, "Cannot use an array of \(count): it is NULL, hand over memory of that size")
  }
  return array
}

/// `count` NUL-terminated texts, one after another.
func texts(_ texts: Text, _ count: Int) -> [String] {
  var next = texts
  return (0..<count).map { _ in
    // Safety: the caller promises this many texts. Their own length counts: bytes that are not UTF-8 become longer text.
    var length = 0
    while next[length] != 0 { length += 1 }
    defer { next += length + 1 }
    return String(cString: next)
  }
}

/// The object of a handle, for the duration of a call.
func borrow<Object: AnyObject>(_ handle: UnsafeRawPointer, _: Object.Type) -> Object {
  // Safety: the caller promises that the handle is open and of this type.
  Unmanaged<Object>.fromOpaque(handle).takeUnretainedValue()
}

/// Calls `body` with the object of a handle without counting a reference to it, which a lookup of one row would feel.
func borrow<Object: AnyObject, Result>(
  _ handle: UnsafeRawPointer, _: Object.Type, _ body: (Object) throws -> Result
) rethrows -> Result {
  // Safety: the caller promises that the handle is open and of this type, and that it stays so until the call has ended.
  try Unmanaged<Object>.fromOpaque(handle)._withUnsafeGuaranteedRef(body)
}

/// Ends a handle.
func release<Object: AnyObject>(_ handle: UnsafeRawPointer, _: Object.Type) {
  // Safety: the caller promises that nobody uses the handle from here on.
  Unmanaged<Object>.fromOpaque(handle).release()
}

/// Runs `body`: 0, or 1 with `code\nmessage` in the caller's error buffer.
func status(_ error: Bytes, _ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return 0
  } catch let failure as MuserError {
    report("\(failure.code.rawValue)\n\(failure.message)", to: error)
  } catch let unexpected {
    report("io\n\(unexpected)", to: error)
  }
  return 1
}

private func report(_ text: String, to error: Bytes) {
  var text = text
  text.withUTF8 { bytes in
    var length = min(bytes.count, Int(MUSER_ERROR_BYTES) - 1)
    // Not in the middle of a character.
    while length < bytes.count, length > 0, bytes[length] & 0xC0 == 0x80 { length -= 1 }
    _ = UnsafeMutableBufferPointer(start: error, count: length).update(fromContentsOf: bytes.prefix(length))
    error[length] = 0
  }
}

/// Writes as much of `text` as fits; the number of bytes that all of it needs.
func write(_ text: some Collection<UInt8>, to buffer: Bytes?, _ capacity: UInt32) -> Int32 {
  if let buffer {
    _ = UnsafeMutableBufferPointer(start: buffer, count: min(Int(capacity), text.count))
      .update(fromContentsOf: text.prefix(Int(capacity)))
  }
  return Int32(clamping: text.count)
}
