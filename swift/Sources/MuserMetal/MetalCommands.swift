import Metal
import MuserCore

/// One submission: dispatches encoded in order, handed over, waited for.
public final class MetalCommands: CommandBuffer {
  private let commands: any MTLCommandBuffer
  private let ticket: MetalHealth.Ticket
  private var encoder: (any MTLComputeCommandEncoder)?

  init(_ commands: any MTLCommandBuffer, _ ticket: MetalHealth.Ticket) {
    self.commands = commands
    self.ticket = ticket
  }

  deinit { encoder?.endEncoding() }

  public var deviceSeconds: Double { commands.gpuEndTime - commands.gpuStartTime }

  public func bind(_ buffer: MetalDevice.Buffer, offset: UInt64, at index: Int) throws {
    // The arguments are number 0.
    try autoreleasepool { try openEncoder().setBuffer(buffer.metal, offset: Int(offset), index: index + 1) }
  }

  public func dispatch(
    _ pipeline: MetalDevice.Pipeline, arguments: UnsafeRawBufferPointer, grid: Grid
  ) throws {
    try autoreleasepool {
      let encoder = try openEncoder()
      encoder.setComputePipelineState(pipeline.metal)
      if let bytes = arguments.baseAddress { encoder.setBytes(bytes, length: arguments.count, index: 0) }
      let most = min(Self.mostThreadsAGroup, pipeline.metal.maxTotalThreadsPerThreadgroup)
      let group = try grid.group(most: UInt64(most))
      encoder.dispatchThreads(
        MTLSize(width: Int(grid.threadsPerRow), height: Int(grid.rows), depth: 1),
        threadsPerThreadgroup: MTLSize(width: Int(group.width), height: Int(group.height), depth: 1))
    }
  }

  /// At once: the GPU shares the memory, and nothing uses the buffer before the commands are committed.
  public func write(_ source: UnsafeRawBufferPointer, into buffer: MetalDevice.Buffer) {
    if let start = source.baseAddress { buffer.metal.contents().copyMemory(from: start, byteCount: source.count) }
  }

  private func openEncoder() throws -> any MTLComputeCommandEncoder {
    if let encoder { return encoder }
    guard let opened = commands.makeComputeCommandEncoder() else {
      throw MuserError(.device, "the GPU gives out no command encoder; end other programs that use it")
    }
    encoder = opened
    return opened
  }

  public func commit() {
    autoreleasepool {
      encoder?.endEncoding()
      encoder = nil
      commands.addCompletedHandler { [ticket] _ in ticket.finish() }
      commands.commit()
    }
  }

  public func wait() throws {
    do { try ticket.wait() } catch {
      // On purpose never let go of: the GPU may still use the command's buffers, and with them the mapping.
      _ = Unmanaged.passRetained(commands as AnyObject)
      throw error
    }
    try autoreleasepool { try ticket.report(failure) }
  }

  /// How the commands ended, `nil` where all of them ran. Only now, after the wait, does the status say so.
  private var failure: MuserError? {
    if commands.status == .completed { return nil }
    let what = commands.error?.localizedDescription ?? "no reason given"
    let code = (commands.error as? MTLCommandBufferError)?.code
    let remedy = code == .outOfMemory ? "close models or other programs" : "try again or use the device cpu"
    return MuserError(
      code == .outOfMemory ? .memory : .device,
      "the GPU ended the command with status \(commands.status.rawValue), error \(code?.rawValue ?? 0) "
        + "\"\(what)\"; \(remedy)")
  }

  private static let mostThreadsAGroup = 256
}
