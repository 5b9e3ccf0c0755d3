@testable import MuserCore

/// Reads the input as a file's header: at once, and as the beginning of a longer file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeader(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  withinASecond { readHeader(UnsafeRawBufferPointer(start: data, count: size)) }
  return 0
}

private func readHeader(_ bytes: UnsafeRawBufferPointer) {
  let size = bytes.count
  let whole = answer(bytes, total: UInt64(size))
  demand(whole != .needsMore, "a whole file needs more bytes")
  // For a quarter of them a beginning too, chosen by the input, copied so that the address sanitizer sees its end.
  let number = dice(bytes)
  guard size > 1, number % 4 == 0 else { return }
  let length = Int((number >> 2) % UInt64(size))
  let beginning = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
  defer { beginning.deallocate() }
  beginning.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
  let part = answer(UnsafeRawBufferPointer(beginning), total: UInt64(size))
  demand(length < 64 || part == .needsMore || part == whole, "\(part) of a beginning, \(whole) of the whole")
}
