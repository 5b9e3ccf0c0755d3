/// The functions of NVIDIA's driver library that this device calls, by what they do. Their C names are in `init`.
struct Driver: @unchecked Sendable {
  typealias Status = Int32
  typealias Context = OpaquePointer
  typealias Module = OpaquePointer
  typealias Function = OpaquePointer
  typealias Stream = OpaquePointer
  typealias Event = OpaquePointer
  typealias Address = UInt64
  typealias Text = UnsafePointer<CChar>
  typealias Out<Value> = UnsafeMutablePointer<Value>
  typealias Memory = UnsafeMutableRawPointer

  let initialize: @convention(c) (_ flags: UInt32) -> Status
  let version: @convention(c) (Out<Int32>) -> Status
  let errorName: @convention(c) (Status, Out<Text?>) -> Status
  let errorText: @convention(c) (Status, Out<Text?>) -> Status

  let device: @convention(c) (Out<Int32>, _ ordinal: Int32) -> Status
  let deviceName: @convention(c) (Out<CChar>, _ length: Int32, _ device: Int32) -> Status
  let deviceMemory: @convention(c) (Out<Int>, _ device: Int32) -> Status
  let deviceAttribute: @convention(c) (Out<Int32>, _ attribute: Int32, _ device: Int32) -> Status

  let retainContext: @convention(c) (Out<Context?>, _ device: Int32) -> Status
  let releaseContext: @convention(c) (_ device: Int32) -> Status
  let useContext: @convention(c) (Context?) -> Status

  let loadModule: @convention(c) (Out<Module?>, _ image: UnsafeRawPointer) -> Status
  let unloadModule: @convention(c) (Module) -> Status
  let findFunction: @convention(c) (Out<Function?>, Module, Text) -> Status

  let allocate: @convention(c) (Out<Address>, _ bytes: Int) -> Status
  let free: @convention(c) (Address) -> Status
  let allocateHost: @convention(c) (Out<Memory?>, _ bytes: Int, _ flags: UInt32) -> Status
  let freeHost: @convention(c) (Memory) -> Status
  let registerHost: @convention(c) (Memory, _ bytes: Int, _ flags: UInt32) -> Status
  let unregisterHost: @convention(c) (Memory) -> Status
  let hostAddress: @convention(c) (Out<Address>, Memory, _ flags: UInt32) -> Status
  let copyIn: @convention(c) (Address, UnsafeRawPointer, _ bytes: Int, Stream) -> Status
  let copyOut: @convention(c) (Memory, Address, _ bytes: Int, Stream) -> Status

  let makeStream: @convention(c) (Out<Stream?>, _ flags: UInt32) -> Status
  let destroyStream: @convention(c) (Stream) -> Status
  let queryStream: @convention(c) (Stream) -> Status
  /// The function; blocks along x, y, z; threads of a block along x, y, z; bytes of shared memory; the stream; a pointer
  /// to each parameter; nothing.
  let launch:
    @convention(c) (
      Function, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, Stream, Out<Memory?>, Out<Memory?>?
    ) -> Status

  let makeEvent: @convention(c) (Out<Event?>, _ flags: UInt32) -> Status
  let destroyEvent: @convention(c) (Event) -> Status
  let recordEvent: @convention(c) (Event, Stream) -> Status
  let milliseconds: @convention(c) (Out<Float>, _ from: Event, _ to: Event) -> Status

  init(_ library: DynamicLibrary) throws {
    initialize = try library.function("cuInit")
    version = try library.function("cuDriverGetVersion")
    errorName = try library.function("cuGetErrorName")
    errorText = try library.function("cuGetErrorString")
    device = try library.function("cuDeviceGet")
    deviceName = try library.function("cuDeviceGetName")
    deviceMemory = try library.function("cuDeviceTotalMem_v2")
    deviceAttribute = try library.function("cuDeviceGetAttribute")
    retainContext = try library.function("cuDevicePrimaryCtxRetain")
    releaseContext = try library.function("cuDevicePrimaryCtxRelease_v2")
    useContext = try library.function("cuCtxSetCurrent")
    loadModule = try library.function("cuModuleLoadData")
    unloadModule = try library.function("cuModuleUnload")
    findFunction = try library.function("cuModuleGetFunction")
    allocate = try library.function("cuMemAlloc_v2")
    free = try library.function("cuMemFree_v2")
    allocateHost = try library.function("cuMemHostAlloc")
    freeHost = try library.function("cuMemFreeHost")
    registerHost = try library.function("cuMemHostRegister_v2")
    unregisterHost = try library.function("cuMemHostUnregister")
    hostAddress = try library.function("cuMemHostGetDevicePointer_v2")
    copyIn = try library.function("cuMemcpyHtoDAsync_v2")
    copyOut = try library.function("cuMemcpyDtoHAsync_v2")
    makeStream = try library.function("cuStreamCreate")
    destroyStream = try library.function("cuStreamDestroy_v2")
    queryStream = try library.function("cuStreamQuery")
    launch = try library.function("cuLaunchKernel")
    makeEvent = try library.function("cuEventCreate")
    destroyEvent = try library.function("cuEventDestroy_v2")
    recordEvent = try library.function("cuEventRecord")
    milliseconds = try library.function("cuEventElapsedTime")
  }
}

extension Driver {
  static let success: Status = 0
  static let outOfMemory: Status = 2
  static let notReady: Status = 600
  /// Errors that a command ended in: from then on the context refuses everything.
  static let lasting: Set<Status> = [214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999]

  static let capabilityMajor: Int32 = 75
  static let capabilityMinor: Int32 = 76
  static let portableAndMapped: UInt32 = 1 | 2
  static let mappedAndReadOnly: UInt32 = 2 | 8
  static let nonBlocking: UInt32 = 1

  /// "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)".
  func describe(_ status: Status) -> String {
    var name: Text?
    var text: Text?
    _ = errorName(status, &name)
    _ = errorText(status, &text)
    guard let name, let text else { return "CUDA error \(status)" }
    return "\(String(cString: name)) (\(String(cString: text)))"
  }
}
