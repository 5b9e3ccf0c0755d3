import MuserCore

/// Memory that the GPU reaches: its own, or the host's, pinned. Freed with its last reference.
public final class CUDABuffer: @unchecked Sendable {
  let address: Driver.Address
  /// Where the host reaches it, `nil` for the GPU's own memory.
  let contents: UnsafeMutableRawPointer?
  private let context: Context

  /// The GPU's own memory.
  init(bytes: Int, on context: Context) throws {
    var address: Driver.Address = 0
    let status = context.driver.allocate(&address, max(bytes, 1))
    guard status != Driver.outOfMemory else {
      throw MuserError(.memory, "the GPU has no \(bytes) bytes of memory left; close models and tables, or use the CPU")
    }
    try context.check(status, "allocating \(bytes) bytes of the GPU's memory")
    self.address = address
    contents = nil
    self.context = context
  }

  /// The host's memory, pinned, so that kernels read and write it where it is.
  init(sharedBytes bytes: Int, on context: Context) throws {
    var memory: UnsafeMutableRawPointer?
    let status = context.driver.allocateHost(&memory, max(bytes, 1), Driver.portableAndMapped)
    guard status != Driver.outOfMemory else {
      throw MuserError(.memory, "the system has no \(bytes) bytes of memory left to pin; ask for fewer rows at once")
    }
    try context.check(status, "pinning \(bytes) bytes of memory")
    guard let memory else { throw MuserError(.memory, "the driver pinned no memory") }
    var address: Driver.Address = 0
    let mapped = context.driver.hostAddress(&address, memory, 0)
    if mapped != Driver.success { _ = context.driver.freeHost(memory) }
    try context.check(mapped, "mapping pinned memory for the GPU")
    self.address = address
    contents = memory
    self.context = context
  }

  deinit {
    context.release { driver in
      if let contents { _ = driver.freeHost(contents) } else { _ = driver.free(address) }
    }
  }
}
