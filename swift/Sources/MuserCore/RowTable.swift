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
  let placement: String
  /// The table on the device; without views where its rows are read from the file when they are needed.
  let table: PlacedTable<D>
  private let source: TableSource
  private let device: D
  private let scratches: ScratchPool<D>

  init(
    _ shape: TableShape, of file: GGUFFile, inPlace: Bool, on device: D, _ options: RowOptions,
    _ scratches: ScratchPool<D>
  ) throws {
    self.device = device
    self.scratches = scratches
    source = TableSource(
      file: file, offset: shape.offset, rowBytes: shape.rowBytes, rows: shape.rows, isInPlace: inPlace)
    let pipeline = try device.pipeline(for: .embedding(shape.type))
    let resident = try device.place(source)
    placement = resident.map { $0.isCopy ? "copied" : "mapped" } ?? "read"
    table = PlacedTable(shape, options, pipeline, resident?.views ?? [])
  }

  var shape: TableShape { table.shape }
  var options: RowOptions { table.options }
  var deviceName: String { device.name }
  private var outputRowBytes: Int { Int(shape.columns) * options.valueBytes }

  // On the CPU one row takes less time than asking at run time what `D` is.
  @_specialize(where D == CPUDevice)
  func rows(_ ids: UnsafeBufferPointer<UInt32>, into output: UnsafeMutableRawPointer) throws {
    guard ids.count > 0 else { return }
    // One row costs less than asking the system; a wide batch or a submission to a GPU costs more.
    if ids.count >= Self.rowsWorthACheck { try source.file.checkContents() }
    // Another thread may change the caller's ids at any moment: what is checked must be what is used.
    try HostMemory.with(bytes: ids.count * 4) { memory in
      let staged = memory.bindMemory(to: UInt32.self, capacity: ids.count)
      try shape.stage(ids, in: staged)
      let checked = UnsafeBufferPointer(start: staged, count: ids.count)
      if table.views.isEmpty {
        try readAndGather(checked, into: output)
      } else {
        try gather(checked, from: table, into: output)
      }
    }
  }

  /// Straight into the caller's memory where the device reaches it, else through buffers of the device.
  @inline(__always) private func gather(
    _ ids: UnsafeBufferPointer<UInt32>, from table: PlacedTable<D>, into output: UnsafeMutableRawPointer
  ) throws {
    let idMemory = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(ids.baseAddress!))
    var fault = Fault()
    let isDone = try withUnsafeMutablePointer(to: &fault) { fault in
      guard let target = device.borrow(output, bytes: ids.count * outputRowBytes),
        let idBuffer = device.borrow(idMemory, bytes: ids.count * 4),
        let faultBuffer = device.borrow(fault, bytes: MemoryLayout<Fault>.size)
      else { return false }
      try run(Embedding(table: table, ids: idBuffer, output: target, fault: faultBuffer), rows: ids.count)
      return true
    }
    if isDone { try fault.check() } else { try gatherThroughScratch(ids, from: table, into: output) }
  }

  private func gatherThroughScratch(
    _ ids: UnsafeBufferPointer<UInt32>, from table: PlacedTable<D>, into output: UnsafeMutableRawPointer
  ) throws {
    // A submission costs more than this question, and what a GPU does where a mapped file has lost pages is unknown.
    try source.file.checkContents()
    let rowsAtOnce = max(1, Self.largestScratch / outputRowBytes)
    for first in stride(from: 0, to: ids.count, by: rowsAtOnce) {
      let part = UnsafeBufferPointer(rebasing: ids[first..<min(first + rowsAtOnce, ids.count)])
      let scratch = try named(part.count) {
        try scratches.take(ids: part.count, outputBytes: part.count * outputRowBytes)
      }
      let fault = device.contents(of: scratch.fault).bindMemory(to: Fault.self, capacity: 1)
      fault.pointee = Fault()
      let lookup = Embedding(
        table: table, ids: scratch.ids, output: scratch.output, fault: scratch.fault, first: first)
      try run(lookup, rows: part.count, ids: part)
      try fault.pointee.check()
      let target = UnsafeMutableRawBufferPointer(start: output + first * outputRowBytes, count: part.count * outputRowBytes)
      try device.read(scratch.output, from: 0, into: target)
      // Not given back where this throws: commands that failed may still be writing to these buffers.
      scratches.giveBack(scratch)
    }
  }

  /// `ids` go to the lookup's own buffer, where they are not there already.
  @inline(__always) private func run(
    _ lookup: Embedding<D>, rows: Int, ids: UnsafeBufferPointer<UInt32>? = nil
  ) throws {
    try named(rows) {
      var commands = try device.makeCommandBuffer(timed: false)
      let id = ids?.count == 1 ? ids?.first : nil
      if let ids, id == nil { try commands.write(UnsafeRawBufferPointer(ids), into: lookup.ids) }
      try lookup.encode(into: &commands, Run(rows: rows, id: id))
      try commands.commit()
      try commands.wait()
    }
  }

  /// What a device throws tells what is so; what was attempted is known here.
  @inline(__always) private func named<Result>(_ rows: Int, _ body: () throws -> Result) throws -> Result {
    try MuserError.naming("look up \(rows) rows of table \"\(shape.name)\"", body)
  }

  /// For files that are not mapped: reads rows into memory, then gathers them from there.
  private func readAndGather(_ ids: UnsafeBufferPointer<UInt32>, into output: UnsafeMutableRawPointer) throws {
    let rowBytes = Int(shape.rowBytes)
    // No more than the table has: the kernel takes the number of a row in memory for an id.
    let rowsAtOnce = min(ids.count, Int(shape.rows), max(1, Self.largestRead / rowBytes))
    let idBytes = rowsAtOnce * 4
    try HostMemory.with(bytes: idBytes + rowsAtOnce * rowBytes) { memory in
      let order = memory.bindMemory(to: UInt32.self, capacity: rowsAtOnce)
      for index in 0..<rowsAtOnce { order[index] = UInt32(index) }
      guard let rows = device.borrow(memory + idBytes, bytes: rowsAtOnce * rowBytes) else {
        throw MuserError(
          .device, "Cannot look up rows: \(device.name) needs tables that are mapped or copied, open the model mapped")
      }
      let window = PlacedTable<D>(
        shape, options, table.pipeline, [.init(BufferSlice(rows), firstRow: 0, rows: UInt64(rowsAtOnce))])
      for first in stride(from: 0, to: ids.count, by: rowsAtOnce) {
        let part = ids[first..<min(first + rowsAtOnce, ids.count)]
        for (index, id) in part.enumerated() {
          let target = UnsafeMutableRawBufferPointer(start: memory + idBytes + index * rowBytes, count: rowBytes)
          try source.file.read(into: target, from: source.offset + UInt64(id) * shape.rowBytes)
        }
        try gather(
          UnsafeBufferPointer(start: order, count: part.count), from: window, into: output + first * outputRowBytes)
      }
    }
  }

  private static var largestScratch: Int { 64 << 20 }
  private static var largestRead: Int { 1 << 20 }
  private static var rowsWorthACheck: Int { 256 }
}
