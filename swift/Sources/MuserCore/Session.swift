/// Mutable state beside an immutable model: buffers on its device, and the steps that run over them. One call at a time
/// runs; others wait their turn.
public protocol Session: AnyObject, Sendable {
  /// Adds a buffer of `bytes` bytes; its number. Buffer 0 is there from the start: the ids, u32 `[capacity]`.
  func addBuffer(bytes: Int) throws -> UInt32
  /// Makes a table usable in steps; its number.
  func addTable(_ table: any RowTable) throws -> UInt32
  /// Checks a command list, given as words, and keeps it; its number.
  func record(_ words: UnsafeBufferPointer<UInt32>) throws -> UInt32
  /// Runs a step over `rows` rows as one command buffer and one wait. `ids` are the host's, `nil` where they are on the
  /// device already.
  func run(_ step: UInt32, rows: Int, ids: UnsafePointer<UInt32>?) throws
  /// Copies from `offset` bytes on of a buffer.
  func read(_ buffer: UInt32, from offset: Int, into target: UnsafeMutableRawBufferPointer) throws
  /// Copies into a buffer, from `offset` bytes on.
  func write(_ buffer: UInt32, from source: UnsafeRawBufferPointer, at offset: Int) throws
  var statistics: Statistics { get }
}

/// What a session has done so far.
public struct Statistics: Sendable, Equatable {
  public var commandBuffers: UInt64 = 0
  public var waits: UInt64 = 0
  public var traffic = Traffic()
  /// As the device measured it, where it can and the session is timed.
  public var deviceSeconds = 0.0
}

final class DeviceSession<D: Device>: Session, @unchecked Sendable {
  private let device: D
  private let capacity: Int
  private let timed: Bool
  private let lock = Lock()
  private let fault: D.Buffer
  private var buffers: [SessionBuffer<D>]
  private var tables: [DeviceTable<D>] = []
  private var steps: [Step<D>] = []
  private var done = Statistics()

  init(on device: D, capacity: Int, timed: Bool) throws {
    self.device = device
    self.capacity = capacity
    self.timed = timed
    fault = try device.makeBuffer(bytes: MemoryLayout<Fault>.size, shared: true)
    let ids = try device.makeBuffer(bytes: capacity * 4, shared: false)
    buffers = [SessionBuffer(buffer: ids, bytes: capacity * 4)]
  }

  var statistics: Statistics { lock.locked { done } }

  func addBuffer(bytes: Int) throws -> UInt32 {
    try lock.locked {
      let buffer = try MuserError.naming("add a buffer") { try device.makeBuffer(bytes: bytes, shared: false) }
      buffers.append(SessionBuffer(buffer: buffer, bytes: bytes))
      return UInt32(buffers.count - 1)
    }
  }

  func addTable(_ table: any RowTable) throws -> UInt32 {
    guard let table = table as? DeviceTable<D> else {
      throw MuserError(
        .argument, "Cannot use table \"\(table.shape.name)\" in the session: they are on different devices; open both from one model")
    }
    return try lock.locked {
      guard !table.table.views.isEmpty else {
        throw MuserError(
          .argument,
          "Cannot use table \"\(table.shape.name)\" in a session: its rows are read from the file; open the model with "
            + "mapping")
      }
      tables.append(table)
      return UInt32(tables.count - 1)
    }
  }

  func record(_ words: UnsafeBufferPointer<UInt32>) throws -> UInt32 {
    try lock.locked {
      let scope = StepScope(device: device, capacity: capacity, fault: fault, buffers: buffers, tables: tables)
      steps.append(try MuserError.naming("record the step") { try Step(words, scope) })
      return UInt32(steps.count - 1)
    }
  }

  func run(_ step: UInt32, rows: Int, ids: UnsafePointer<UInt32>?) throws {
    try lock.locked {
      guard Int(step) < steps.count else {
        throw MuserError(.argument, "Cannot run step \(step): the session has recorded \(steps.count); record it first")
      }
      guard (0...capacity).contains(rows) else {
        throw MuserError(
          .argument, "Cannot run \(rows) rows: the session has a capacity of \(capacity); open a larger one")
      }
      if rows == 0 { return }
      let step = steps[Int(step)]
      let fault = device.contents(of: self.fault).bindMemory(to: Fault.self, capacity: 1)
      fault.pointee = Fault()
      var commands = try MuserError.naming("run \(rows) rows") { try device.makeCommandBuffer(timed: timed) }
      let id = try ids.flatMap { try stage(UnsafeBufferPointer(start: $0, count: rows), for: step, into: &commands) }
      try MuserError.naming("run \(rows) rows") {
        for (index, operation) in step.operations.enumerated() {
          try operation.encode(into: &commands, Run(rows: rows, id: index == 0 ? id : nil))
        }
        try commands.commit()
        // Added up while the device is at work.
        let traffic = step.operations.reduce(into: Traffic()) { $0 += $1.traffic(rows: rows) }
        done.commandBuffers += 1
        done.traffic += traffic
        try commands.wait()
        done.waits += 1
        done.deviceSeconds += commands.deviceSeconds
      }
      try fault.pointee.check()
    }
  }

  /// Host ids are proven before anything runs, against the shortest table that the step looks up in, and copied to the
  /// device, but for one that can go with the first kernel: that is given back.
  private func stage(
    _ ids: UnsafeBufferPointer<UInt32>, for step: Step<D>, into commands: inout D.Commands
  ) throws -> UInt32? {
    guard let shape = step.shortestTable else {
      try commands.write(UnsafeRawBufferPointer(ids), into: buffers[0].buffer)
      return nil
    }
    // Another thread may change the caller's ids at any moment: what is checked must be what is used.
    return try HostMemory.with(bytes: ids.count * 4) { memory in
      let staged = memory.bindMemory(to: UInt32.self, capacity: ids.count)
      try shape.stage(ids, in: staged)
      if ids.count == 1, step.takesHostId { return staged[0] }
      try commands.write(UnsafeRawBufferPointer(start: memory, count: ids.count * 4), into: buffers[0].buffer)
      return nil
    }
  }

  func read(_ buffer: UInt32, from offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    try lock.locked {
      let buffer = try part(of: buffer, offset, target.count, "read")
      try device.read(buffer, from: offset, into: target)
    }
  }

  func write(_ buffer: UInt32, from source: UnsafeRawBufferPointer, at offset: Int) throws {
    try lock.locked {
      let buffer = try part(of: buffer, offset, source.count, "write")
      try device.write(source, into: buffer, at: offset)
    }
  }

  private func part(of number: UInt32, _ offset: Int, _ bytes: Int, _ action: String) throws -> D.Buffer {
    guard Int(number) < buffers.count, offset >= 0, bytes <= buffers[Int(number)].bytes - offset else {
      throw MuserError(.argument, "Cannot \(action) \(bytes) bytes at \(offset) of buffer \(number): it has no such part; stay inside it")
    }
    return buffers[Int(number)].buffer
  }
}

struct SessionBuffer<D: Device> {
  let buffer: D.Buffer
  let bytes: Int
}
