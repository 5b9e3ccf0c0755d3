import MetalKernels

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { StandIn.fails(.device) ? nil : StandInDevice() }

final class StandInDevice: MTLDevice {
  let name = "Metal stand-in"
  let hasUnifiedMemory = !StandIn.fails(.unified)
  let recommendedMaxWorkingSetSize: UInt64 = 1 << 32
  var maxBufferLength: Int { StandIn.maxBufferLength }

  func makeCommandQueue() -> (any MTLCommandQueue)? { StandIn.fails(.queue) ? nil : StandInQueue() }

  func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)? {
    StandIn.require((1...maxBufferLength).contains(length), "a buffer of \(length) bytes")
    return StandIn.fails(.buffer) ? nil : StandInBuffer(length: length)
  }

  func makeBuffer(
    bytesNoCopy pointer: UnsafeMutableRawPointer, length: Int, options: MTLResourceOptions,
    deallocator: ((UnsafeMutableRawPointer, Int) -> Void)?
  ) -> (any MTLBuffer)? {
    let page = Int(getpagesize())
    StandIn.require(Int(bitPattern: pointer) % page == 0, "bytesNoCopy at \(pointer), which is no page border")
    StandIn.require(length % page == 0, "bytesNoCopy of \(length) bytes, which are no whole pages")
    StandIn.require((1...maxBufferLength).contains(length), "a buffer of \(length) bytes")
    StandIn.require(StandInBuffer.isMapped(pointer, length), "bytesNoCopy of memory that is not mapped")
    return StandIn.fails(.buffer) ? nil : StandInBuffer(over: pointer, length: length, deallocator: deallocator)
  }

  func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary {
    if StandIn.fails(.library) { throw MTLLibraryError() }
    StandIn.require(
      options?.fastMathEnabled == false, "a library with fast math: its bits would differ from other devices'")
    return StandInLibrary(source: source)
  }

  func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState {
    guard !StandIn.fails(.pipeline), let function = function as? StandInFunction else { throw MTLLibraryError() }
    return StandInPipeline(kernel: function.kernel)
  }
}

/// The kernels were compiled with the package, from the same text: only what a text holds can be had from it.
final class StandInLibrary: MTLLibrary {
  private let source: String
  init(source: String) { self.source = source }

  func makeFunction(name functionName: String) -> (any MTLFunction)? {
    let text = functionName.hasPrefix("muser_embedding_") ? "muser_embedding_##suffix" : functionName
    guard !StandIn.fails(.function), contains(text), let kernel = muser_kernel(functionName) else { return nil }
    return StandInFunction(kernel: kernel)
  }

  private func contains(_ text: String) -> Bool {
    source.withCString { source in text.withCString { strstr(source, $0) != nil } }
  }
}

final class StandInFunction: MTLFunction {
  let kernel: UnsafePointer<MuserKernel>
  init(kernel: UnsafePointer<MuserKernel>) { self.kernel = kernel }
  var name: String { String(cString: kernel.pointee.name) }
}

final class StandInPipeline: MTLComputePipelineState {
  let kernel: UnsafePointer<MuserKernel>
  let maxTotalThreadsPerThreadgroup = 1024
  init(kernel: UnsafePointer<MuserKernel>) { self.kernel = kernel }
}
