import MetalKernels

/// Checks everything that Apple's validation layer checks, then records.
final class StandInEncoder: MTLComputeCommandEncoder {
  private let commands: StandInCommands
  private let counted = StandIn.Counted()
  private var pipeline: StandInPipeline?
  private var arguments: [UInt8]?
  private var buffers: [Int: StandInDispatch.Slice] = [:]
  private var isOpen = true

  init(_ commands: StandInCommands) { self.commands = commands }

  deinit { StandIn.require(!isOpen, "an encoder let go of before endEncoding") }

  func setComputePipelineState(_ state: any MTLComputePipelineState) {
    StandIn.require(isOpen, "an encoder used after endEncoding")
    pipeline = state as? StandInPipeline
  }

  func setBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int) {
    StandIn.require(isOpen, "an encoder used after endEncoding")
    StandIn.require(index == 0, "bytes at index \(index), where the kernels have a buffer")
    StandIn.require((1...4096).contains(length), "setBytes of \(length) bytes")
    arguments = [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
  }

  func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int) {
    StandIn.require(isOpen, "an encoder used after endEncoding")
    StandIn.require((1..<31).contains(index), "a buffer at index \(index)")
    guard let buffer = buffer as? StandInBuffer else { return buffers[index] = nil }
    StandIn.require((0..<buffer.length).contains(offset), "offset \(offset) of a buffer of \(buffer.length) bytes")
    buffers[index] = .init(buffer: buffer, offset: offset)
  }

  func dispatchThreads(_ threadsPerGrid: MTLSize, threadsPerThreadgroup group: MTLSize) {
    StandIn.require(isOpen, "an encoder used after endEncoding")
    guard let pipeline else { return StandIn.require(false, "a dispatch without a pipeline") }
    let kernel = pipeline.kernel.pointee
    StandIn.require(
      min(threadsPerGrid.width, threadsPerGrid.height, threadsPerGrid.depth) > 0, "a grid without threads")
    StandIn.require(min(group.width, group.height, group.depth) > 0, "a group without threads")
    StandIn.require(
      group.width * group.height * group.depth <= pipeline.maxTotalThreadsPerThreadgroup, "a group of too many threads")
    StandIn.require(
      kernel.group == 1
        || (group.width == Int(kernel.group) && group.width == threadsPerGrid.width && group.height == 1),
      "threads that work together in another group than their row")
    StandIn.require(arguments?.count == Int(kernel.argument_bytes), "arguments of another length than the kernel's")
    commands.encoded(
      StandInDispatch(
        kernel: kernel, arguments: arguments ?? [],
        buffers: (0..<Int(kernel.buffer_count)).map { bound($0, of: kernel) },
        grid: threadsPerGrid, group: group))
  }

  private func bound(_ index: Int, of kernel: MuserKernel) -> StandInDispatch.Slice {
    guard let slice = buffers[index + 1] else { fatalError("Metal stand-in: nothing is bound at index \(index + 1)") }
    let alignment = Int(withUnsafeBytes(of: kernel.alignments) { $0[index] })
    StandIn.require(
      slice.offset % alignment == 0, "offset \(slice.offset) at index \(index + 1), whose type needs \(alignment)")
    return slice
  }

  func endEncoding() {
    StandIn.require(isOpen, "endEncoding twice")
    isOpen = false
    commands.encodingEnded()
  }
}

/// One recorded run of a kernel.
struct StandInDispatch {
  struct Slice {
    let buffer: StandInBuffer
    let offset: Int
  }

  let kernel: MuserKernel
  let arguments: [UInt8]
  let buffers: [Slice]
  let grid: MTLSize
  let group: MTLSize

  /// Runs the rows group by group from the last to the first: kernels may not count on any order.
  func run() {
    buffers.forEach { $0.buffer.requireMapped() }
    let pointers: [UnsafeMutableRawPointer?] = buffers.map { $0.buffer.contents() + $0.offset }
    let width = grid.width / Int(kernel.group)
    for row in stride(from: 0, to: grid.height, by: group.height).reversed() {
      let end = min(row + group.height, grid.height)
      kernel.run(arguments, pointers, UInt32(width), UInt64(row * width), UInt64(end * width))
    }
  }
}
