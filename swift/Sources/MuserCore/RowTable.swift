/// A table that is open for lookups, on whichever device.
public protocol RowTable: AnyObject, Sendable {
  var shape: TableShape { get }
  var options: RowOptions { get }
  /// "mapped", "copied" or "read".
  var placement: String { get }
  var deviceName: String { get }
  /// Writes row `ids[i]` as values `i * columns` to `(i + 1) * columns - 1` of `output`. Every id is checked, on the copy
  /// that is used, before anything is written.
  func rows(_ ids: UnsafeBufferPointer<UInt32>, into output: UnsafeMutableRawPointer) throws
}

final class DeviceTable<D: Device>: RowTable {
  let shape: TableShape
  let options: RowOptions
  private let source: TableSource
  private let device: D
  private let operation: Embedding<D>
  private let resident: Placement<D.Buffer>?
  private let scratches: ScratchPool<D>

  init(_ shape: TableShape, of file: GGUFFile, on device: D, _ options: RowOptions, _ scratches: ScratchPool<D>) throws {
    self.shape = shape
    self.options = options
    self.device = device
    self.scratches = scratches
    source = TableSource(file: file, offset: shape.offset, rowBytes: shape.rowBytes, rows: shape.rows)
    operation = Embedding(pipeline: try device.pipeline(for: .embedding(shape.type)), shape: shape, options: options)
    resident = try device.place(source)
  }

  var placement: String { resident.map { $0.isCopy ? "copied" : "mapped" } ?? "read" }
  var deviceName: String { device.name }

  func rows(_ ids: UnsafeBufferPointer<UInt32>, into output: UnsafeMutableRawPointer) throws {
    guard ids.count > 0 else { return }
    // Another thread may change the caller's ids at any moment: what is checked must be what is used.
    try HostMemory.with(bytes: ids.count * 4) { memory in
      let staged = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt32.self), count: ids.count)
      try stage(ids, in: staged)
      if let resident {
        try gather(UnsafeBufferPointer(staged), from: resident.views, into: output)
      } else {
        try readAndGather(UnsafeBufferPointer(staged), into: output)
      }
    }
  }

  private func stage(_ ids: UnsafeBufferPointer<UInt32>, in staged: UnsafeMutableBufferPointer<UInt32>) throws {
    let rows = UInt32(shape.rows)
    var largest: UInt32 = 0
    for index in 0..<ids.count {
      let id = ids[index]
      staged[index] = id
      largest = max(largest, id)
    }
    guard largest >= rows, let position = staged.firstIndex(where: { $0 >= rows }) else { return }
    throw MuserError(
      .id,
      "Cannot look up id \(staged[position]) at position \(position): table \"\(shape.name)\" has \(rows) rows, "
        + "use ids from 0 to \(rows - 1)")
  }

  /// Gathers staged ids from `views`: straight into the caller's memory where the device reaches it, else through
  /// buffers of the device, part by part.
  private func gather(
    _ ids: UnsafeBufferPointer<UInt32>, from views: [Placement<D.Buffer>.View], into output: UnsafeMutableRawPointer
  ) throws {
    let idMemory = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(ids.baseAddress!))
    guard let direct = device.borrow(output, bytes: ids.count * outputRowBytes),
      let idBuffer = device.borrow(idMemory, bytes: ids.count * 4)
    else { return try gatherThroughScratch(ids, from: views, into: output) }
    var fault = Fault()
    try withUnsafeMutablePointer(to: &fault) { fault in
      guard let faultBuffer = device.borrow(fault, bytes: MemoryLayout<Fault>.size) else { return }
      try run(Lookup(ids: idBuffer, output: direct, fault: faultBuffer), views: views, first: 0, count: ids.count)
    }
    try fault.check()
  }

  private func gatherThroughScratch(
    _ ids: UnsafeBufferPointer<UInt32>, from views: [Placement<D.Buffer>.View], into output: UnsafeMutableRawPointer
  ) throws {
    let rowsAtOnce = max(1, Self.largestScratch / outputRowBytes)
    for first in stride(from: 0, to: ids.count, by: rowsAtOnce) {
      let part = UnsafeBufferPointer(rebasing: ids[first..<min(first + rowsAtOnce, ids.count)])
      let scratch = try scratches.take(ids: part.count, outputBytes: part.count * outputRowBytes)
      device.contents(of: scratch.ids).copyMemory(from: part.baseAddress!, byteCount: part.count * 4)
      let fault = device.contents(of: scratch.fault).assumingMemoryBound(to: Fault.self)
      fault.pointee = Fault()
      try run(scratch.lookup, views: views, first: first, count: part.count)
      try fault.pointee.check()
      let target = output + first * outputRowBytes
      try device.read(scratch.output, into: .init(start: target, count: part.count * outputRowBytes))
      // Not given back on an error: commands that failed may still be writing to these buffers.
      scratches.giveBack(scratch)
    }
  }

  private func run(
    _ lookup: Lookup<D.Buffer>, views: [Placement<D.Buffer>.View], first: Int, count: Int
  ) throws {
    // One row costs less than asking the system; a wide batch or a submission to a GPU costs more.
    if count >= Self.rowsWorthACheck { try source.file.checkContents() }
    var commands = try device.makeCommandBuffer()
    try operation.encode(into: &commands, views: views, lookup, first: first, count: count)
    try commands.commit()
    try commands.wait()
  }

  /// For files that are not mapped: reads rows into memory, then gathers them from there.
  private func readAndGather(_ ids: UnsafeBufferPointer<UInt32>, into output: UnsafeMutableRawPointer) throws {
    let rowBytes = Int(shape.rowBytes)
    let rowsAtOnce = min(ids.count, max(1, Self.largestRead / rowBytes))
    try HostMemory.with(bytes: rowsAtOnce * (rowBytes + 4)) { memory in
      let order = (memory + rowsAtOnce * rowBytes).bindMemory(to: UInt32.self, capacity: rowsAtOnce)
      for index in 0..<rowsAtOnce { order[index] = UInt32(index) }
      for first in stride(from: 0, to: ids.count, by: rowsAtOnce) {
        let count = min(rowsAtOnce, ids.count - first)
        for index in 0..<count {
          let target = UnsafeMutableRawBufferPointer(start: memory + index * rowBytes, count: rowBytes)
          try source.file.read(into: target, from: source.offset + UInt64(ids[first + index]) * shape.rowBytes)
        }
        guard let rows = device.borrow(memory, bytes: count * rowBytes) else { return }
        try gather(
          UnsafeBufferPointer(start: order, count: count),
          from: [.init(BufferSlice(rows), firstRow: 0, rows: UInt64(count))], into: output + first * outputRowBytes)
      }
    }
  }

  private var outputRowBytes: Int { Int(shape.columns) * options.valueBytes }
  private static var largestScratch: Int { 64 << 20 }
  private static var largestRead: Int { 1 << 20 }
  private static var rowsWorthACheck: Int { 256 }
}
