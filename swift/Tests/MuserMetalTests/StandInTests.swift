#if MUSER_STAND_IN
import Metal
import MuserABI
import Testing

extension MetalTests {
  /// The stand-in ends the process where Apple's validation layer would.
  @Suite struct StandInTests {
    @Test func aSecondCommitIsFound() async {
      await #expect(processExitsWith: .failure) {
        let commands = Submission().commands
        commands.commit()
        commands.commit()
      }
    }

    @Test func aCommitWithAnOpenEncoderIsFound() async {
      await #expect(processExitsWith: .failure) {
        let submission = Submission()
        _ = submission.encoder
        submission.commands.commit()
      }
    }

    @Test func aBufferThatWasNotBoundIsFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(buffers: 3) }
    }

    @Test func argumentsOfAnotherLengthAreFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(argumentBytes: 36) }
    }

    @Test func anOffsetPastTheBufferIsFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(offset: 64) }
    }

    @Test func anOffsetThatItsTypeCannotHaveIsFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(offset: 2) }
    }

    @Test func aGroupOfTooManyThreadsIsFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(groupWidth: 1025) }
    }

    @Test func anEmptyGridIsFound() async {
      await #expect(processExitsWith: .failure) { Submission().dispatch(rows: 0) }
    }

    @Test func memoryThatBeginsWithinAPageIsFound() async {
      await #expect(processExitsWith: .failure) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 3 * 65536, alignment: 65536)
        _ = Submission().device.makeBuffer(
          bytesNoCopy: memory + 16, length: 65536, options: .storageModeShared, deallocator: nil)
      }
    }

    @Test func memoryThatEndsWithinAPageIsFound() async {
      await #expect(processExitsWith: .failure) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 65536, alignment: 65536)
        _ = Submission().device.makeBuffer(
          bytesNoCopy: memory, length: 100, options: .storageModeShared, deallocator: nil)
      }
    }

    @Test func aBufferBeyondTheLimitIsFound() async {
      await #expect(processExitsWith: .failure) {
        StandIn.maxBufferLength = 4096
        _ = Submission().device.makeBuffer(length: 4097, options: .storageModeShared)
      }
    }

    @Test func aReadPastTheEndOfABufferIsFound() async {
      await #expect(processExitsWith: .failure) {
        let buffer = Submission().device.makeBuffer(length: 64, options: .storageModeShared)
        _ = buffer.map { $0.contents().load(fromByteOffset: 64, as: UInt8.self) }
      }
    }

    @Test func fastMathIsFound() async {
      await #expect(processExitsWith: .failure) { _ = try Submission().device.makeLibrary(source: "", options: nil) }
    }

    @Test func theRightSubmissionIsFine() async {
      await #expect(processExitsWith: .success) { Submission().dispatch() }
    }
  }
}

/// One dispatch of a kernel, right but for what a test says.
private struct Submission {
  let device: any MTLDevice
  let commands: any MTLCommandBuffer

  init() {
    guard let device = MTLCreateSystemDefaultDevice(), let commands = device.makeCommandQueue()?.makeCommandBuffer()
    else {
      fatalError("the stand-in gives out no device")
    }
    self.device = device
    self.commands = commands
  }

  var encoder: (any MTLComputeCommandEncoder)? { commands.makeComputeCommandEncoder() }

  func dispatch(
    buffers: Int = 4, argumentBytes: Int = MemoryLayout<MuserEmbeddingArguments>.size, offset: Int = 0,
    groupWidth: Int = 1, rows: Int = 1
  ) {
    let options = MTLCompileOptions()
    options.fastMathEnabled = false
    guard
      let function = try? device.makeLibrary(source: "muser_embedding_##suffix", options: options)
        .makeFunction(name: "muser_embedding_f32"),
      let pipeline = try? device.makeComputePipelineState(function: function), let encoder
    else { fatalError("the stand-in has no kernel") }
    encoder.setComputePipelineState(pipeline)
    // All zero: a table of no rows, so that the kernel writes nothing.
    encoder.setBytes([UInt8](repeating: 0, count: argumentBytes), length: argumentBytes, index: 0)
    for index in 0..<buffers {
      let buffer = device.makeBuffer(length: 64, options: .storageModeShared)
      encoder.setBuffer(buffer, offset: index == 1 ? offset : 0, index: index + 1)
    }
    encoder.dispatchThreads(
      MTLSize(width: 1, height: rows, depth: 1), threadsPerThreadgroup: MTLSize(width: groupWidth, height: 1, depth: 1))
    encoder.endEncoding()
    commands.commit()
    while commands.status != .completed {}
  }
}
#endif
