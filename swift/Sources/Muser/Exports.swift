// The C interface, and nothing else: each function turns pointers into values, calls one method and turns what is
// thrown into a status. MuserABI/include/muser.h documents them.
import MuserABI
import MuserCore

public typealias Bytes = UnsafeMutablePointer<UInt8>
public typealias Text = UnsafePointer<CChar>

@_cdecl("muser_abi_version")
public func muserABIVersion() -> UInt32 { UInt32(MUSER_ABI_VERSION) }

@_cdecl("muser_error_codes")
public func muserErrorCodes(_ text: Bytes?, _ capacity: UInt32) -> Int32 {
  write(MuserError.Code.allCases.map(\.rawValue).joined(separator: "\n").utf8, to: text, capacity)
}

@_cdecl("muser_types")
public func muserTypes(_ text: Bytes?, _ capacity: UInt32) -> Int32 {
  write(TensorType.describeAll().text, to: text, capacity)
}

@_cdecl("muser_devices")
public func muserDevices(_ text: Bytes?, _ capacity: UInt32) -> Int32 {
  write(Devices.describe().text, to: text, capacity)
}

@_cdecl("muser_model_open")
public func muserModelOpen(
  _ paths: Text, _ count: UInt32, _ device: Text, _ map: UInt32, _ offset: UInt64, _ cache: Text?, _ error: Bytes
) -> UnsafeMutableRawPointer? {
  create(error) {
    let engine = try Devices.engine(String(cString: device))
    if let cache { engine.keepKernels(in: String(cString: cache)) }
    return try Model(
      paths: texts(paths, Int(count)), start: offset, map: map != 0, inPlace: map == 2, engine: engine)
  }
}

@_cdecl("muser_model_describe")
public func muserModelDescribe(
  _ model: UnsafeRawPointer, _ text: Bytes?, _ capacity: UInt32, _ error: Bytes
) -> Int32 {
  var needed: Int32 = -1
  _ = status(error) { needed = write(try borrow(model, Model.self).describe().text, to: text, capacity) }
  return needed
}

@_cdecl("muser_model_read")
public func muserModelRead(
  _ model: UnsafeRawPointer, _ offset: UInt64, _ bytes: Bytes?, _ length: UInt32, _ error: Bytes
) -> Int32 {
  status(error) {
    try borrow(model, Model.self).file.readHeader(
      into: UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(length)), from: offset)
  }
}

@_cdecl("muser_model_check")
public func muserModelCheck(_ model: UnsafeRawPointer, _ error: Bytes) -> Int32 {
  status(error) { try borrow(model, Model.self).check() }
}

@_cdecl("muser_model_close")
public func muserModelClose(_ model: UnsafeRawPointer) { release(model, Model.self) }

@_cdecl("muser_table_open")
public func muserTableOpen(
  _ model: UnsafeRawPointer, _ name: Text, _ scale: Float, _ half: UInt32, _ error: Bytes
) -> UnsafeMutableRawPointer? {
  create(error) {
    let options = RowOptions(scale: scale, half: half != 0)
    return Table(try borrow(model, Model.self).table(named: String(cString: name), options))
  }
}

@_cdecl("muser_table_describe")
public func muserTableDescribe(_ table: UnsafeRawPointer, _ text: Bytes?, _ capacity: UInt32) -> Int32 {
  write(borrow(table, Table.self).rows.describe().text, to: text, capacity)
}

@_cdecl("muser_table_rows")
public func muserTableRows(
  _ table: UnsafeRawPointer, _ ids: UnsafePointer<UInt32>?, _ count: UInt32, _ output: UnsafeMutableRawPointer?,
  _ error: Bytes
) -> Int32 {
  status(error) {
    guard let ids = try given(ids, count), let output = try given(output, count) else { return }
    try lookUp(UnsafeBufferPointer(start: ids, count: Int(count)), in: table, into: output)
  }
}

@_cdecl("muser_table_row")
public func muserTableRow(_ table: UnsafeRawPointer, _ id: UInt32, _ output: UnsafeMutableRawPointer?) -> Int32 {
  guard let output else { return 1 }
  do {
    try withUnsafePointer(to: id) { id in
      try lookUp(UnsafeBufferPointer(start: id, count: 1), in: table, into: output)
    }
    return 0
  } catch { return 1 }
}

@inline(__always) private func lookUp(
  _ ids: UnsafeBufferPointer<UInt32>, in table: UnsafeRawPointer, into output: UnsafeMutableRawPointer
) throws {
  try borrow(table, Table.self) { try $0.rows.rows(ids, into: output) }
}

@_cdecl("muser_table_close")
public func muserTableClose(_ table: UnsafeRawPointer) { release(table, Table.self) }

@_cdecl("muser_session_open")
public func muserSessionOpen(
  _ model: UnsafeRawPointer, _ capacity: UInt32, _ timed: UInt32, _ error: Bytes
) -> UnsafeMutableRawPointer? {
  create(error) {
    SessionHandle(try borrow(model, Model.self).session(capacity: Int(capacity), timed: timed != 0))
  }
}

@_cdecl("muser_session_buffer")
public func muserSessionBuffer(_ session: UnsafeRawPointer, _ bytes: UInt64, _ error: Bytes) -> Int32 {
  number(error) { try borrow(session, SessionHandle.self).session.addBuffer(bytes: Int(clamping: bytes)) }
}

@_cdecl("muser_session_table")
public func muserSessionTable(_ session: UnsafeRawPointer, _ table: UnsafeRawPointer, _ error: Bytes) -> Int32 {
  number(error) { try borrow(session, SessionHandle.self).session.addTable(borrow(table, Table.self).rows) }
}

@_cdecl("muser_session_record")
public func muserSessionRecord(
  _ session: UnsafeRawPointer, _ words: UnsafePointer<UInt32>?, _ count: UInt32, _ error: Bytes
) -> Int32 {
  number(error) {
    let words = UnsafeBufferPointer(start: words, count: words == nil ? 0 : Int(count))
    return try borrow(session, SessionHandle.self).session.record(words)
  }
}

@_cdecl("muser_session_run")
public func muserSessionRun(
  _ session: UnsafeRawPointer, _ step: UInt32, _ ids: UnsafePointer<UInt32>?, _ rows: UInt32, _ error: Bytes
) -> Int32 {
  status(error) { try borrow(session, SessionHandle.self).session.run(step, rows: Int(rows), ids: ids) }
}

@_cdecl("muser_session_read")
public func muserSessionRead(
  _ session: UnsafeRawPointer, _ buffer: UInt32, _ offset: UInt64, _ bytes: UnsafeMutableRawPointer?,
  _ length: UInt64, _ error: Bytes
) -> Int32 {
  status(error) {
    guard let bytes = try given(bytes, length) else { return }
    try borrow(session, SessionHandle.self).session.read(
      buffer, from: Int(clamping: offset), into: .init(start: bytes, count: Int(clamping: length)))
  }
}

@_cdecl("muser_session_write")
public func muserSessionWrite(
  _ session: UnsafeRawPointer, _ buffer: UInt32, _ offset: UInt64, _ bytes: UnsafeRawPointer?, _ length: UInt64,
  _ error: Bytes
) -> Int32 {
  status(error) {
    guard let bytes = try given(bytes, length) else { return }
    try borrow(session, SessionHandle.self).session.write(
      buffer, from: .init(start: bytes, count: Int(clamping: length)), at: Int(clamping: offset))
  }
}

@_cdecl("muser_session_statistics")
public func muserSessionStatistics(_ session: UnsafeRawPointer, _ statistics: UnsafeMutablePointer<MuserStatistics>) {
  let done = borrow(session, SessionHandle.self).session.statistics
  statistics.pointee = MuserStatistics(
    command_buffers: done.commandBuffers, waits: done.waits, dispatches: done.traffic.dispatches,
    bytes_read: done.traffic.bytesRead, bytes_written: done.traffic.bytesWritten,
    device_nanoseconds: UInt64(done.deviceSeconds * 1e9))
}

@_cdecl("muser_session_close")
public func muserSessionClose(_ session: UnsafeRawPointer) { release(session, SessionHandle.self) }
