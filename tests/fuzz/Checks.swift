#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
@testable import MuserCore

/// Ends the process where something does not hold, so that the fuzzer keeps the input.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}

/// Runs `body`, which may take a second of the processor: the clock on the wall says little on a busy machine.
func withinASecond(_ body: () -> Void) {
  let start = clock()
  body()
  let ticks = 1_000_000
  demand(clock() - start < ticks, "more than a second")
}

/// A number that all bytes of an input decide, so that what is done with it now and then is done again with the input
/// that the fuzzer keeps.
func dice(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var number = UInt64(bytes.count)
  for at in Swift.stride(from: 0, through: bytes.count - 8, by: 8) {
    number = (number ^ bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
    number ^= number >> 29
  }
  for byte in bytes.suffix(bytes.count % 8) { number = (number ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
  return number ^ number >> 32
}

/// What became of a header.
enum Answer: Equatable {
  case header(bytes: Int, tensors: Int, keys: Int)
  case refused(MuserError.Code)
  case needsMore
}

/// Reads a header and proves what was read.
func answer(_ bytes: UnsafeRawBufferPointer, total: UInt64) -> Answer {
  do {
    let header = try GGUFHeader(parsing: bytes, total: total)
    prove(header, in: bytes, total: total)
    return .header(bytes: header.bytes, tensors: header.tensorRecords.count, keys: header.metadata.count)
  } catch let error as MuserError {
    demand(!error.message.isEmpty && error.message.utf8.count < 2000, "a message of \(error.message.utf8.count) bytes")
    demand(!error.message.utf8.contains { $0 < 0x20 }, "control characters in \(error.message)")
    return .refused(error.code)
  } catch is GGUFCursor.NeedsMoreBytes {
    demand(UInt64(bytes.count) < total, "more bytes are wanted than the file has")
    return .needsMore
  } catch { fatalError("\(error)") }
}

/// Proves an accepted header anew, without the parser's own sums.
func prove(_ header: GGUFHeader, in bytes: UnsafeRawBufferPointer, total: UInt64) {
  demand((24...bytes.count).contains(header.bytes), "a header of \(header.bytes) bytes")
  demand(header.alignment.nonzeroBitCount == 1 && header.alignment <= 1 << 20, "an alignment of \(header.alignment)")
  let padding = Int64(header.dataOffset) - Int64(header.bytes)
  demand((0..<Int64(header.alignment)).contains(padding), "a padding of \(padding)")
  demand(header.dataOffset % header.alignment == 0, "data at \(header.dataOffset)")
  var keys: Set<[UInt8]> = []
  for entry in header.metadata {
    demand((1...65_535).contains(entry.key.count), "a key of \(entry.key.count) bytes")
    demand(keys.insert(Array(bytes[entry.key])).inserted, "a key twice")
    demand(entry.key.upperBound < entry.value.lowerBound && entry.value.upperBound <= header.bytes, "a value outside")
    let size = (entry.element ?? entry.type).size.map { $0 * entry.count }
    demand(size == nil || size == UInt64(entry.value.count), "a value of \(entry.value.count) bytes")
  }
  proveTensors(of: header, in: bytes, total: total)
}

private func proveTensors(of header: GGUFHeader, in bytes: UnsafeRawBufferPointer, total: UInt64) {
  var names: Set<[UInt8]> = []
  var ranges: [(UInt64, UInt64)] = []
  for record in header.tensorRecords {
    guard let tensor = try? header.tensor(at: record, in: bytes) else { fatalError("a record that was read cannot be") }
    demand((1...63).contains(tensor.name.count) && names.insert(Array(bytes[tensor.name])).inserted, "a bad name")
    demand(tensor.dimensions.count <= 4 && tensor.offset % header.alignment == 0, "a bad record")
    guard let type = tensor.type, let size = tensor.bytes else { continue }
    if type.kernel != nil { _ = try? TableShape(tensor, named: "t", dataOffset: header.dataOffset) }
    var values: UInt64 = 1
    for length in tensor.dimensions {
      let product = values.multipliedFullWidth(by: length)
      demand(product.high == 0 || tensor.dimensions.contains(0), "a product that wraps")
      values = product.low
    }
    if tensor.dimensions.contains(0) { values = 0 }
    demand(size == values / type.blockValues * type.blockBytes, "\(size) bytes for \(values) values")
    if size == 0 { continue }
    demand(header.dataOffset + tensor.offset + size <= total, "data outside the file")
    ranges.append((tensor.offset, tensor.offset + size))
  }
  ranges.sort { $0.0 < $1.0 }
  for (lower, upper) in zip(ranges, ranges.dropFirst()) { demand(lower.1 <= upper.0, "tensors that overlap") }
}
