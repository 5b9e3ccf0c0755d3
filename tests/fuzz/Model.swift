#if canImport(Glibc)
import Glibc
#endif
@testable import MuserCore

private let descriptor = temporaryFile()
private let engine = DeviceEngine(try! CPUDevice())

/// Opens the input as a file, describes it, and looks up rows of every table, mapped; a quarter of the inputs read, too,
/// which takes as long again: both ways must agree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  demand(ftruncate(descriptor, size) == 0 && pwrite(descriptor, data, size, 0) == size, "no memory for the file")
  let comparing = dice(UnsafeRawBufferPointer(start: data, count: size)) % 4 == 0
  withinASecond { openAndLookUp(size, comparing) }
  return 0
}

private func openAndLookUp(_ size: Int, _ comparing: Bool) {
  let mapped = open(map: true)
  let read = comparing ? open(map: false) : mapped
  demand((mapped == nil) == (read == nil), "only one way opens it")
  guard let mapped, let read else { return }
  guard let text = try? mapped.describe().text, let tensors = try? mapped.file.tensors() else { fatalError("no facts") }
  demand(!text.contains { $0 < 0x20 }, "control characters in the facts")
  for tensor in tensors {
    let name = mapped.file.headerBytes[tensor.name].asText
    let options = RowOptions(scale: 0.5, half: size % 2 == 0)
    let table = try? mapped.table(named: name, options)
    let other = comparing ? try? read.table(named: name, options) : table
    demand((table == nil) == (other == nil), "only one way opens the table")
    guard let table, let other, table.shape.columns <= 1 << 20 else { continue }
    let ids = [0, UInt32(table.shape.rows - 1), UInt32(table.shape.rows / 2)]
    let found = rows(of: table, ids)
    demand(!comparing || found == rows(of: other, ids), "rows differ")
    if table.shape.rows < 1 << 32 - 1 { demand(rows(of: table, [UInt32(table.shape.rows)]) == nil, "an id past the end") }
  }
}

/// A file without a name, in memory where the system has a place for that.
private func temporaryFile() -> CInt {
  var path = Array("\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/muser-fuzz-XXXXXX\0".utf8CString.dropLast())
  let descriptor = mkstemp(&path)
  demand(descriptor >= 0 && unlink(path) == 0, "no file to write to")
  return descriptor
}

private func open(map: Bool) -> Model? {
  do { return try Model(paths: ["/proc/self/fd/\(descriptor)"], start: 0, map: map, engine: engine) } catch {
    demand((error as? MuserError)?.message.hasPrefix("Cannot open /proc") == true, "\(error)")
    return nil
  }
}

private func rows(of table: any RowTable, _ ids: [UInt32]) -> [UInt8]? {
  var output = Array(repeating: UInt8(0), count: ids.count * Int(table.shape.columns) * table.options.valueBytes)
  do {
    try output.withUnsafeMutableBytes { output in
      try ids.withUnsafeBufferPointer { try table.rows($0, into: output.baseAddress!) }
    }
    return output
  } catch { return nil }
}
