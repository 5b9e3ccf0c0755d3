import MuserCore

/// A kernel in the GPU's own code.
public final class CUDAPipeline: @unchecked Sendable {
  let function: Driver.Function
  private let module: Driver.Module
  private let context: Context

  init(_ kernel: CompiledKernel, on context: Context) throws {
    var module: Driver.Module?
    try context.check(context.driver.loadModule(&module, kernel.code), "loading a kernel")
    guard let module else { throw MuserError(.device, "the driver loaded no kernel") }
    var function: Driver.Function?
    let status = context.driver.findFunction(&function, module, kernel.entry)
    guard status == Driver.success, let function else {
      _ = context.driver.unloadModule(module)
      throw MuserError(.device, "the driver does not find the kernel \(kernel.entry): \(context.driver.describe(status))")
    }
    self.function = function
    self.module = module
    self.context = context
  }

  deinit { context.release { _ = $0.unloadModule(module) } }
}

/// The kernels of a device, each compiled at its first use, or taken from the cache where there is one.
final class CUDAPipelines: @unchecked Sendable {
  private let context: Context
  private let compiler: Compiler
  private let lock = Lock()
  private var pipelines: [Kernel: CUDAPipeline] = [:]
  private var cache: KernelCache?

  init(_ compiler: Compiler, on context: Context) {
    self.compiler = compiler
    self.context = context
  }

  func keep(in folder: String) { lock.locked { cache = KernelCache(folder: folder) } }

  func pipeline(for kernel: Kernel) throws -> CUDAPipeline {
    try lock.locked {
      if let pipeline = pipelines[kernel] { return pipeline }
      let pipeline = try load(kernel)
      pipelines[kernel] = pipeline
      return pipeline
    }
  }

  private func load(_ kernel: Kernel) throws -> CUDAPipeline {
    let text = ShaderSource.flattened(kernel.source)
    try context.enter()
    let key = KernelCache.Key(kernel.name, from: text, for: compiler.target)
    // What the driver does not load is compiled again.
    if let kept = cache?.find(key), let pipeline = try? CUDAPipeline(kept, on: context) { return pipeline }
    let compiled = try compiler.compile(text, kernel: kernel.name)
    let pipeline = try CUDAPipeline(compiled, on: context)
    try cache?.keep(compiled, for: key)
    return pipeline
  }
}
