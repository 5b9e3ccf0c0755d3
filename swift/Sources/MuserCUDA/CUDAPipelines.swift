import MuserCore

/// A kernel in the GPU's own code.
public final class CUDAPipeline: @unchecked Sendable {
  let function: Driver.Function
  private let module: Driver.Module
  private let context: Context

  init(_ code: [UInt8], entry: String, on context: Context) throws {
    var module: Driver.Module?
    try context.check(context.driver.loadModule(&module, code), "loading a kernel")
    guard let module else { throw MuserError(.device, "the driver loaded no kernel") }
    var function: Driver.Function?
    let status = context.driver.findFunction(&function, module, entry)
    guard status == Driver.success, let function else {
      _ = context.driver.unloadModule(module)
      throw MuserError(.device, "the driver does not find the kernel \(entry): \(context.driver.describe(status))")
    }
    self.function = function
    self.module = module
    self.context = context
  }

  deinit { context.release { _ = $0.unloadModule(module) } }
}

/// The kernels of a device, each compiled at its first use.
final class CUDAPipelines: @unchecked Sendable {
  private let context: Context
  private let compiler: Compiler
  private let lock = Lock()
  private var pipelines: [Kernel: CUDAPipeline] = [:]

  init(_ compiler: Compiler, on context: Context) {
    self.compiler = compiler
    self.context = context
  }

  func pipeline(for kernel: Kernel) throws -> CUDAPipeline {
    try lock.locked {
      if let pipeline = pipelines[kernel] { return pipeline }
      let (code, entry) = try compiler.compile(ShaderSource.flattened(kernel.source), kernel: kernel.name)
      try context.enter()
      let pipeline = try CUDAPipeline(code, entry: entry, on: context)
      pipelines[kernel] = pipeline
      return pipeline
    }
  }
}
