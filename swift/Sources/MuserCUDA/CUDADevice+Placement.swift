import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension CUDADevice {
  /// The table in the GPU's memory, or where the file is mapped if that is wanted and the GPU can read it there. A
  /// tensor that is placed already is not placed again.
  public func place(_ source: TableSource) throws -> Placement<CUDABuffer>? {
    try context.enter()
    let placed =
      try placedTables.find(source) ?? (source.isInPlace ? try? inPlace(source) : nil)
      ?? PlacedTables.Place(slice: BufferSlice(try copy(source)), isCopy: true)
    placedTables.keep(placed, for: source)
    return Placement(views: [.init(placed.slice, firstRow: 0, rows: source.rows)], isCopy: placed.isCopy)
  }

  /// Pins the table's pages. Fails where kernels cannot read from its address, the system cannot pin the file, or the
  /// pages of a neighbour are pinned already.
  private func inPlace(_ source: TableSource) throws -> PlacedTables.Place {
    guard let mapping = source.file.mapping, let base = mapping.bytes.baseAddress else {
      throw MuserError(.argument, "the file is not mapped")
    }
    let start = Int(source.file.start + source.offset)
    guard (Int(bitPattern: base) + start) % Self.tableAlignment == 0 else {
      throw MuserError(.alignment, "the table begins at an address that is no multiple of \(Self.tableAlignment)")
    }
    let page = Int(getpagesize())
    let first = start / page * page
    let end = (start + Int(source.bytes) + page - 1) / page * page
    // Safety: the pages lie in the mapping, which the buffer keeps; kernels only read a table.
    let pages = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: base) + first, count: end - first)
    let buffer = try CUDABuffer(pages: pages, of: source.file, on: context)
    return PlacedTables.Place(slice: BufferSlice(buffer, offset: UInt64(start - first)), isCopy: false)
  }

  /// Copies the table. A file that is mapped is read all the same: touching a page of one that shrank ends the process.
  private func copy(_ source: TableSource) throws -> CUDABuffer {
    let table = try CUDABuffer(bytes: Int(source.bytes), on: context, keeping: source.file)
    let lanes = try (0..<2).map { _ in try Lane(bytes: min(Self.chunk, Int(source.bytes)), on: self) }
    for (index, first) in stride(from: 0, to: Int(source.bytes), by: Self.chunk).enumerated() {
      // One chunk is read while the other travels.
      try lanes[index % 2].send(source, first..<min(first + Self.chunk, Int(source.bytes)), to: table)
    }
    for lane in lanes { try lane.stream.wait() }
    return table
  }

  private static var chunk: Int { 4 << 20 }
  /// The widest load of the kernels.
  private static var tableAlignment: Int { 16 }
}

/// Pinned memory and the stream that carries it to the GPU.
private struct Lane {
  let stream: Stream
  let buffer: CUDABuffer
  let memory: UnsafeMutableRawPointer

  init(bytes: Int, on device: CUDADevice) throws {
    buffer = try device.makeBuffer(bytes: bytes, shared: true)
    memory = device.contents(of: buffer)
    stream = try Stream(on: device.context)
  }

  /// Reads bytes of the source and sends them on their way to the same place in `table`.
  func send(_ source: TableSource, _ bytes: Range<Int>, to table: CUDABuffer) throws {
    try stream.wait()  // the memory's last load has to be gone
    let target = UnsafeMutableRawBufferPointer(start: memory, count: bytes.count)
    try source.file.read(into: target, from: source.offset + UInt64(bytes.lowerBound))
    try stream.add("copying to the GPU") {
      $0.copyIn(table.address + UInt64(bytes.lowerBound), memory, bytes.count, $1)
    }
  }
}
