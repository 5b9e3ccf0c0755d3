import MuserCore

/// An NVIDIA GPU. Its libraries are looked for when the device is made: nothing of NVIDIA's is needed to build or load
/// this one.
public final class CUDADevice: Device {
  public let name = "cuda"
  /// "NVIDIA H200, sm_90, libnvrtc.so.13 of CUDA 13.0".
  public let detail: String
  public let memory: UInt64
  let context: Context
  let placedTables = PlacedTables()
  private let pipelines: CUDAPipelines

  /// `deadline` is the number of seconds after which a command counts as lost.
  public convenience init(deadline: Double = 30) throws { try self.init(.standard, deadline: deadline) }

  init(_ libraries: LibraryNames, deadline: Double) throws {
    let driver = try Self.driver(libraries)
    let gpu = try GPU(driver)
    let compiler = try Self.compiler(libraries, gpu)
    detail = "\(gpu.name), sm_\(gpu.capability), \(compiler.description)"
    memory = gpu.memory
    context = try Context(driver, device: gpu.device, deadline: deadline)
    pipelines = CUDAPipelines(compiler, on: context)
  }

  private static func driver(_ libraries: LibraryNames) throws -> Driver {
    do {
      return try first(of: libraries.driver) { try Driver(DynamicLibrary($0)) }
    } catch let miss as MuserError {
      throw MuserError(.device, "NVIDIA's driver is not usable (\(miss.message)); install it, or use the device cpu")
    }
  }

  private static func compiler(_ libraries: LibraryNames, _ gpu: GPU) throws -> Compiler {
    do {
      return try first(of: libraries.compiler) {
        try Compiler(DynamicLibrary($0), driverVersion: gpu.driverVersion, capability: gpu.capability)
      }
    } catch let miss as MuserError {
      throw MuserError(
        .device,
        "NVRTC, CUDA's compiler for kernels, is not usable (\(miss.message)); install the package nvidia-cuda-nvrtc from "
          + "PyPI or the CUDA toolkit, and put the folder of its libraries on LD_LIBRARY_PATH")
    }
  }

  public func makeBuffer(bytes: Int, shared: Bool) throws -> CUDABuffer {
    try context.enter()
    return shared ? try CUDABuffer(sharedBytes: bytes, on: context) : try CUDABuffer(bytes: bytes, on: context)
  }

  public func contents(of buffer: CUDABuffer) -> UnsafeMutableRawPointer {
    guard let contents = buffer.contents else { preconditionFailure("the host reaches shared buffers only") }
    return contents
  }

  /// Never: the GPU reaches only host memory that was pinned for it, which costs more than a lookup.
  public func borrow(_ memory: UnsafeMutableRawPointer, bytes: Int) -> CUDABuffer? { nil }

  public func keepKernels(in folder: String) { pipelines.keep(in: folder) }

  public func pipeline(for kernel: Kernel) throws -> CUDAPipeline { try pipelines.pipeline(for: kernel) }

  public func makeCommandBuffer(timed: Bool) throws -> CUDACommands { try CUDACommands(on: context, timed: timed) }
}

/// The names to try for each of NVIDIA's libraries, in this order.
struct LibraryNames {
  let driver: [String]
  let compiler: [String]

  static let standard = LibraryNames(
    driver: ["libcuda.so.1", "libcuda.so"],
    compiler: [
      "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so",
    ])
}

/// Facts of the first GPU that the driver shows to this process; CUDA_VISIBLE_DEVICES chooses another.
struct GPU {
  let device: Int32
  let name: String
  let memory: UInt64
  /// 90 for compute capability 9.0.
  let capability: Int32
  /// 13000 for CUDA 13.0.
  let driverVersion: Int32

  init(_ driver: Driver) throws {
    func check(_ status: Driver.Status, _ step: String) throws {
      if status == Driver.success { return }
      throw MuserError(.device, "\(step): \(driver.describe(status)); use the device cpu")
    }
    try check(driver.initialize(0), "NVIDIA's driver does not start")
    var version: Int32 = 0
    try check(driver.version(&version), "NVIDIA's driver does not tell its version")
    var device: Int32 = 0
    try check(driver.device(&device, 0), "NVIDIA's driver shows no GPU to this process")
    func attribute(_ attribute: Int32) throws -> Int32 {
      var value: Int32 = 0
      try check(driver.deviceAttribute(&value, attribute, device), "the GPU does not tell its generation")
      return value
    }
    capability = try attribute(Driver.capabilityMajor) * 10 + attribute(Driver.capabilityMinor)
    var bytes = 0
    try check(driver.deviceMemory(&bytes, device), "the GPU does not tell its memory")
    var name = [CChar](repeating: 0, count: 256)
    try check(driver.deviceName(&name, Int32(name.count), device), "the GPU does not tell its name")
    self.device = device
    self.name = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    memory = UInt64(bytes)
    driverVersion = version
  }
}
