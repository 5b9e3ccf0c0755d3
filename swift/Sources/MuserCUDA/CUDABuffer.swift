import MuserCore

/// Memory that the GPU reaches: its own, the host's, or a mapped file's. Given back with its last reference.
public final class CUDABuffer: @unchecked Sendable {
  let address: Driver.Address
  /// Where the host reaches it, `nil` where it may not.
  let contents: UnsafeMutableRawPointer?
  private let context: Context
  private let giveBack: (Driver) -> Driver.Status

  private init(
    _ address: Driver.Address, _ contents: UnsafeMutableRawPointer?, on context: Context,
    giveBack: @escaping (Driver) -> Driver.Status
  ) {
    self.address = address
    self.contents = contents
    self.context = context
    self.giveBack = giveBack
  }

  deinit { context.release { _ = giveBack($0) } }

  /// The GPU's own memory. `owner` is kept as long.
  convenience init(bytes: Int, on context: Context, keeping owner: AnyObject? = nil) throws {
    var address: Driver.Address = 0
    let status = context.driver.allocate(&address, max(bytes, 1))
    guard status != Driver.outOfMemory else {
      throw MuserError(.memory, "the GPU has no \(bytes) bytes of memory left; close models and tables, or use the device cpu")
    }
    try context.check(status, "allocating \(bytes) bytes of the GPU's memory")
    self.init(address, nil, on: context) { [address] driver in withExtendedLifetime(owner) { driver.free(address) } }
  }

  /// The host's memory, pinned, so that kernels read and write it where it is.
  convenience init(sharedBytes bytes: Int, on context: Context) throws {
    var memory: UnsafeMutableRawPointer?
    let status = context.driver.allocateHost(&memory, max(bytes, 1), Driver.portableAndMapped)
    guard status != Driver.outOfMemory else {
      throw MuserError(.memory, "the system has no \(bytes) bytes of memory left to pin; ask for fewer rows at once")
    }
    try context.check(status, "pinning \(bytes) bytes of memory")
    guard let memory else { throw MuserError(.memory, "the driver pinned no memory") }
    let address = try Self.address(of: memory, on: context) { $0.freeHost(memory) }
    self.init(address, memory, on: context) { $0.freeHost(memory) }
  }

  /// Pages of a mapped file, pinned and read-only. `file` is kept as long.
  convenience init(pages: UnsafeMutableRawBufferPointer, of file: GGUFFile, on context: Context) throws {
    guard let memory = pages.baseAddress else { throw MuserError(.argument, "the mapping is empty") }
    try context.check(
      context.driver.registerHost(memory, pages.count, Driver.mappedAndReadOnly), "pinning the mapped file")
    let address = try Self.address(of: memory, on: context) { $0.unregisterHost(memory) }
    self.init(address, nil, on: context) { driver in withExtendedLifetime(file) { driver.unregisterHost(memory) } }
  }

  /// The GPU's address of pinned memory; gives the memory back where there is none.
  private static func address(
    of memory: UnsafeMutableRawPointer, on context: Context, orElse giveBack: (Driver) -> Driver.Status
  ) throws -> Driver.Address {
    var address: Driver.Address = 0
    let status = context.driver.hostAddress(&address, memory, 0)
    if status != Driver.success { _ = giveBack(context.driver) }
    try context.check(status, "mapping pinned memory for the GPU")
    return address
  }
}
