import Metal
import MuserCore

/// An Apple GPU that shares memory with the processor: it reads tables where the file is mapped.
public final class MetalDevice: Device, @unchecked Sendable {
  /// A buffer of the GPU's. A mapped one keeps its mapping alive.
  public struct Buffer: @unchecked Sendable {
    let metal: any MTLBuffer
  }

  public struct Pipeline: @unchecked Sendable {
    let metal: any MTLComputePipelineState
  }

  public let name = "metal"
  // Safety: Apple documents devices and queues as safe to use from any thread.
  let metal: any MTLDevice
  private let queue: any MTLCommandQueue
  private let pipelines: MetalPipelines
  let health: MetalHealth

  public var detail: String { metal.name }
  public var memory: UInt64 { metal.recommendedMaxWorkingSetSize }

  /// `deadline` is the number of seconds after which a command counts as lost.
  public init(deadline: Double = 30) throws {
    guard let device = MTLCreateSystemDefaultDevice() else {
      throw MuserError(.device, "the system offers no Metal device to this process; use the device cpu")
    }
    guard device.hasUnifiedMemory else {
      throw MuserError(
        .device, "\(device.name) has memory of its own and cannot read a mapped file; use the device cpu")
    }
    guard let queue = device.makeCommandQueue() else {
      throw MuserError(.device, "\(device.name) gives out no command queue; end other programs that use it")
    }
    metal = device
    self.queue = queue
    pipelines = MetalPipelines(device)
    health = MetalHealth(deadline: deadline)
  }

  /// All memory is shared: the GPU and the processor have the same.
  public func makeBuffer(bytes: Int, shared: Bool) throws -> Buffer {
    try health.check()
    guard bytes <= metal.maxBufferLength else {
      throw MuserError(
        .memory,
        "\(bytes) bytes are asked for, and \(metal.maxBufferLength) are the most that \(detail) puts in one buffer")
    }
    guard let buffer = metal.makeBuffer(length: max(bytes, 1), options: .storageModeShared) else {
      throw MuserError(.memory, "\(detail) has no \(bytes) bytes of memory left; close models or other programs")
    }
    return Buffer(metal: buffer)
  }

  public func contents(of buffer: Buffer) -> UnsafeMutableRawPointer { buffer.metal.contents() }

  /// Never: the GPU reaches whole pages only, and a caller's memory is not made of them.
  public func borrow(_ memory: UnsafeMutableRawPointer, bytes: Int) -> Buffer? { nil }

  public func pipeline(for kernel: Kernel) throws -> Pipeline {
    try health.check()
    return try pipelines.pipeline(for: kernel)
  }

  /// Timed or not: Metal measures every command.
  public func makeCommandBuffer(timed: Bool) throws -> MetalCommands {
    let ticket = try health.begin()
    return try autoreleasepool {
      guard let commands = queue.makeCommandBuffer() else {
        throw MuserError(.device, "\(detail) gives out no command buffer; end other programs that use it")
      }
      return MetalCommands(commands, ticket)
    }
  }

  public func read(_ buffer: Buffer, from offset: Int, into target: UnsafeMutableRawBufferPointer) {
    target.copyMemory(from: UnsafeRawBufferPointer(start: buffer.metal.contents() + offset, count: target.count))
  }

  public func write(_ source: UnsafeRawBufferPointer, into buffer: Buffer, at offset: Int) {
    guard let bytes = source.baseAddress else { return }
    (buffer.metal.contents() + offset).copyMemory(from: bytes, byteCount: source.count)
  }
}
