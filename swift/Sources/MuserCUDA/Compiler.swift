import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What NVRTC makes of a kernel.
struct CompiledKernel {
  /// The GPU's own code, or text for the driver to translate.
  let code: [UInt8]
  /// The kernel's name in it.
  let entry: String
}

/// NVRTC, the library that compiles kernels for the GPU at hand.
struct Compiler: @unchecked Sendable {
  typealias Status = Int32
  typealias Program = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Out<Value> = UnsafeMutablePointer<Value>

  /// "libnvrtc.so.13 of CUDA 13.0".
  let description: String
  /// What to compile for, and what comes out: "sm_90" gives the GPU's own code, "compute_90" text for the driver.
  private let architecture: String
  private let driverVersion: Int32
  private let functions: Functions

  /// `driverVersion` is CUDA's, 13000 for 13.0; `capability` the GPU's, 90 for 9.0.
  init(_ library: DynamicLibrary, driverVersion: Int32, capability: Int32) throws {
    functions = try Functions(library)
    var (major, minor): (Int32, Int32) = (0, 0)
    try functions.check(functions.version(&major, &minor), library.name, "telling its version")
    description = "\(library.name) of CUDA \(major).\(minor)"
    guard major <= driverVersion / 1000 else {
      throw MuserError(
        .device, "\(library.name): it is of CUDA \(major), and the driver knows CUDA \(driverVersion / 1000) at most")
    }
    var count: Int32 = 0
    try functions.check(functions.architectureCount(&count), library.name, "counting GPU generations")
    var architectures = [Int32](repeating: 0, count: Int(count))
    try functions.check(functions.architectureList(&architectures), library.name, "listing GPU generations")
    guard let nearest = architectures.filter({ $0 <= capability }).max() else {
      throw MuserError(.device, "\(library.name): it no longer compiles for this GPU's generation (sm_\(capability))")
    }
    architecture = nearest == capability ? "sm_\(nearest)" : "compute_\(nearest)"
    self.driverVersion = driverVersion
  }

  /// All that compiled code depends on, beside the text: kept code is used again where this is the same.
  var target: String { "\(description), driver \(driverVersion), \(options.joined(separator: " "))" }

  // No contraction: every device rounds every step alike.
  private var options: [String] { ["-default-device", "-std=c++20", "--fmad=false", "-arch=\(architecture)"] }

  /// Compiles `text` for the kernel called `kernel`.
  func compile(_ text: String, kernel: String) throws -> CompiledKernel {
    var program: Program?
    try check(functions.create(&program, text, "kernel.cu", 0, nil, nil), "beginning")
    defer { _ = functions.destroy(&program) }
    let launch = "muser_launch<\(kernel)>"
    try check(functions.addName(program, launch), "naming the entry")
    try compile(program, kernel)
    var entry: Text?
    try check(functions.entryName(program, launch, &entry), "finding the entry")
    guard let entry else { throw MuserError(.device, "NVRTC gives the kernel \(kernel) no name") }
    let isText = architecture.hasPrefix("compute")
    let code = try bytes(
      program, isText ? functions.textSize : functions.codeSize, isText ? functions.text : functions.code)
    return CompiledKernel(code: code, entry: String(cString: entry))
  }

  private func compile(_ program: Program?, _ kernel: String) throws {
    let copies = options.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let status = functions.compile(program, Int32(copies.count), copies.map { UnsafePointer($0) })
    if status == 0 { return }
    let log = (try? bytes(program, functions.logSize, functions.log)) ?? []
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n").filter { $0.contains("error") }
    throw MuserError(
      .device, "\(description) does not compile the kernel \(kernel): \(lines.prefix(4).joined(separator: " | "))")
  }

  private func bytes(
    _ program: Program?, _ size: Functions.Size, _ copy: Functions.Copy
  ) throws -> [UInt8] {
    var count = 0
    try check(size(program, &count), "measuring the code")
    return try [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      guard let start = target.baseAddress else { return }
      try start.withMemoryRebound(to: CChar.self, capacity: count) {
        try check(copy(program, $0), "copying the code")
      }
      filled = count
    }
  }

  private func check(_ status: Status, _ step: String) throws {
    try functions.check(status, description, step)
  }
}

extension Compiler {
  /// The functions of NVRTC, by what they do.
  fileprivate struct Functions {
    typealias Size = @convention(c) (Program?, Out<Int>) -> Status
    typealias Copy = @convention(c) (Program?, Out<CChar>) -> Status

    let version: @convention(c) (Out<Int32>, Out<Int32>) -> Status
    let errorText: @convention(c) (Status) -> Text
    let architectureCount: @convention(c) (Out<Int32>) -> Status
    let architectureList: @convention(c) (Out<Int32>) -> Status
    let create: @convention(c) (Out<Program?>, Text, _ name: Text, _ headers: Int32, Out<Text?>?, Out<Text?>?) -> Status
    let destroy: @convention(c) (Out<Program?>) -> Status
    let addName: @convention(c) (Program?, Text) -> Status
    let entryName: @convention(c) (Program?, Text, Out<Text?>) -> Status
    let compile: @convention(c) (Program?, _ count: Int32, UnsafePointer<Text?>) -> Status
    let logSize: Size
    let log: Copy
    let textSize: Size
    let text: Copy
    let codeSize: Size
    let code: Copy

    init(_ library: DynamicLibrary) throws {
      version = try library.function("nvrtcVersion")
      errorText = try library.function("nvrtcGetErrorString")
      architectureCount = try library.function("nvrtcGetNumSupportedArchs")
      architectureList = try library.function("nvrtcGetSupportedArchs")
      create = try library.function("nvrtcCreateProgram")
      destroy = try library.function("nvrtcDestroyProgram")
      addName = try library.function("nvrtcAddNameExpression")
      entryName = try library.function("nvrtcGetLoweredName")
      compile = try library.function("nvrtcCompileProgram")
      logSize = try library.function("nvrtcGetProgramLogSize")
      log = try library.function("nvrtcGetProgramLog")
      textSize = try library.function("nvrtcGetPTXSize")
      text = try library.function("nvrtcGetPTX")
      codeSize = try library.function("nvrtcGetCUBINSize")
      code = try library.function("nvrtcGetCUBIN")
    }

    func check(_ status: Status, _ library: String, _ step: String) throws {
      if status == 0 { return }
      throw MuserError(.device, "\(library): \(step) failed with \(String(cString: errorText(status)))")
    }
  }
}
