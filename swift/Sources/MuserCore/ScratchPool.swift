/// Buffers for lookups whose rows are wanted in host memory, on devices that cannot write there. Kept and used again:
/// making a buffer costs more than a lookup.
final class ScratchPool<D: Device>: @unchecked Sendable {
  struct Scratch {
    let ids: D.Buffer
    let output: D.Buffer
    let fault: D.Buffer
    let idCapacity: Int
    let outputCapacity: Int
  }

  private let device: D
  private let lock = Lock()
  private var free: [Scratch] = []

  init(_ device: D) { self.device = device }

  /// Buffers of at least this size, which nobody else uses until they are given back.
  func take(ids: Int, outputBytes: Int) throws -> Scratch {
    let kept = lock.locked { () -> Scratch? in
      guard let index = free.firstIndex(where: { $0.idCapacity >= ids && $0.outputCapacity >= outputBytes }) else {
        return nil
      }
      return free.remove(at: index)
    }
    if let kept { return kept }
    let idCapacity = Self.roundedUp(ids)
    let outputCapacity = Self.roundedUp(outputBytes)
    return Scratch(
      ids: try device.makeBuffer(bytes: idCapacity * 4, shared: false),
      // A few rows are sooner written across the bus than copied afterwards.
      output: try device.makeBuffer(bytes: outputCapacity, shared: outputCapacity <= Self.largestShared),
      fault: try device.makeBuffer(bytes: MemoryLayout<Fault>.size, shared: true),
      idCapacity: idCapacity, outputCapacity: outputCapacity)
  }

  func giveBack(_ scratch: Scratch) {
    lock.locked {
      if free.count == Self.most { free.removeFirst() }
      free.append(scratch)
    }
  }

  /// To a power of two, so that batches of about the same width share buffers.
  private static func roundedUp(_ count: Int) -> Int { count <= 64 ? 64 : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount) }
  private static var most: Int { 4 }
  private static var largestShared: Int { 1 << 20 }
}
