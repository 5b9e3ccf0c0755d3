import MuserCore

extension CUDADevice {
  public func read(_ buffer: CUDABuffer, from offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    guard let start = target.baseAddress else { return }
    if let contents = buffer.contents {
      return target.copyMemory(from: UnsafeRawBufferPointer(start: contents + offset, count: target.count))
    }
    try context.enter()
    let stream = try Stream(on: context)
    try stream.add("copying from the GPU") { $0.copyOut(start, buffer.address + UInt64(offset), target.count, $1) }
    try stream.wait()
  }

  public func write(_ source: UnsafeRawBufferPointer, into buffer: CUDABuffer, at offset: Int) throws {
    guard let start = source.baseAddress else { return }
    if let contents = buffer.contents {
      return (contents + offset).copyMemory(from: start, byteCount: source.count)
    }
    try context.enter()
    let stream = try Stream(on: context)
    try stream.add("copying to the GPU") { $0.copyIn(buffer.address + UInt64(offset), start, source.count, $1) }
    try stream.wait()
  }
}
