// A stand-in for Apple's Metal, for tests on other systems: the interfaces that MuserMetal uses, as Apple spells them.

public protocol MTLDevice: AnyObject {
  var name: String { get }
  var hasUnifiedMemory: Bool { get }
  var recommendedMaxWorkingSetSize: UInt64 { get }
  var maxBufferLength: Int { get }
  func makeCommandQueue() -> (any MTLCommandQueue)?
  func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)?
  func makeBuffer(
    bytesNoCopy pointer: UnsafeMutableRawPointer, length: Int, options: MTLResourceOptions,
    deallocator: ((UnsafeMutableRawPointer, Int) -> Void)?
  ) -> (any MTLBuffer)?
  func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
  func makeComputePipelineState(function: any MTLFunction) throws -> any MTLComputePipelineState
}

public protocol MTLBuffer: AnyObject {
  var length: Int { get }
  func contents() -> UnsafeMutableRawPointer
}

public protocol MTLLibrary: AnyObject {
  func makeFunction(name functionName: String) -> (any MTLFunction)?
}

public protocol MTLFunction: AnyObject {
  var name: String { get }
}

public protocol MTLComputePipelineState: AnyObject {
  var maxTotalThreadsPerThreadgroup: Int { get }
}

public protocol MTLCommandQueue: AnyObject {
  func makeCommandBuffer() -> (any MTLCommandBuffer)?
}

public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void

public protocol MTLCommandBuffer: AnyObject {
  var status: MTLCommandBufferStatus { get }
  var error: (any Error)? { get }
  var gpuStartTime: Double { get }
  var gpuEndTime: Double { get }
  func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)?
  func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
  func commit()
}

public protocol MTLComputeCommandEncoder: AnyObject {
  func setComputePipelineState(_ state: any MTLComputePipelineState)
  func setBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int)
  func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
  func dispatchThreads(_ threadsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize)
  func endEncoding()
}

public struct MTLSize: Sendable {
  public var width: Int
  public var height: Int
  public var depth: Int

  public init(width: Int, height: Int, depth: Int) {
    self.width = width
    self.height = height
    self.depth = depth
  }
}

public struct MTLResourceOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let storageModeShared = MTLResourceOptions([])
}

public enum MTLLanguageVersion: UInt, Sendable { case version3_0 = 0x30000 }

public final class MTLCompileOptions {
  public var fastMathEnabled = true
  public var languageVersion = MTLLanguageVersion.version3_0
  public init() {}
}

public enum MTLCommandBufferStatus: UInt, Sendable {
  case notEnqueued, enqueued, committed, scheduled, completed, error
}

public struct MTLCommandBufferError: Error, Sendable {
  public enum Code: Int, Sendable {
    case timeout = 2
    case pageFault = 3
    case outOfMemory = 8
  }
  public let code: Code
}

public struct MTLLibraryError: Error, Sendable {}

/// On Apple's systems this comes with Foundation, which tests on other systems do without.
extension Error {
  public var localizedDescription: String { "\(self)" }
}

/// Nothing is released late here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
