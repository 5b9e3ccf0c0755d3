import Metal
import MuserCore

/// The compiled kernels of a device: one library an operation, each built once, at its first use.
final class MetalPipelines: @unchecked Sendable {
  private let device: any MTLDevice
  private let lock = Lock()
  private var libraries: [String: any MTLLibrary] = [:]
  private var pipelines: [Kernel: MetalDevice.Pipeline] = [:]

  init(_ device: any MTLDevice) { self.device = device }

  func pipeline(for kernel: Kernel) throws -> MetalDevice.Pipeline {
    try lock.locked {
      if let pipeline = pipelines[kernel] { return pipeline }
      let pipeline = try autoreleasepool { try build(kernel) }
      pipelines[kernel] = pipeline
      return pipeline
    }
  }

  private func build(_ kernel: Kernel) throws -> MetalDevice.Pipeline {
    guard let function = try library(of: kernel).makeFunction(name: kernel.name) else {
      throw MuserError(.device, "\(kernel.source) has no kernel \(kernel.name); use another build of the library")
    }
    return try failing("build the kernel \(kernel.name)") {
      MetalDevice.Pipeline(metal: try device.makeComputePipelineState(function: function))
    }
  }

  private func library(of kernel: Kernel) throws -> any MTLLibrary {
    if let library = libraries[kernel.source] { return library }
    let options = MTLCompileOptions()
    // The same bits as on every other device: no contraction, no flushing, no reordering.
    options.fastMathEnabled = false
    options.languageVersion = .version3_0
    let library = try failing("compile \(kernel.source)") {
      try device.makeLibrary(source: ShaderSource.flattened(kernel.source), options: options)
    }
    libraries[kernel.source] = library
    return library
  }

  private func failing<Result>(_ action: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw MuserError(.device, "\(device.name) cannot \(action): \(error.localizedDescription); use the device cpu")
    }
  }
}
