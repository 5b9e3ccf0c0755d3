/// Where operations run. Above this protocol nobody knows which device it is; below it nobody knows what a model is.
/// A device makes buffers, places tables, finds pipelines and makes command buffers.
public protocol Device: AnyObject, Sendable {
  /// Memory that the device's kernels can reach.
  associatedtype Buffer: Sendable
  /// A kernel ready to run.
  associatedtype Pipeline: Sendable
  associatedtype Commands: CommandBuffer where Commands.Buffer == Buffer, Commands.Pipeline == Pipeline

  /// "cpu", "metal" or "cuda".
  var name: String { get }
  /// Which one it is, for people.
  var detail: String { get }
  /// Bytes of memory that its kernels can reach.
  var memory: UInt64 { get }
  /// Memory of `bytes` bytes. Shared memory can be reached by the host too, through `contents`.
  func makeBuffer(bytes: Int, shared: Bool) throws -> Buffer
  /// Where the host reaches a shared buffer.
  func contents(of buffer: Buffer) -> UnsafeMutableRawPointer
  /// A buffer over the host's own memory, for the duration of a call; `nil` where the device cannot reach it.
  func borrow(_ memory: UnsafeMutableRawPointer, bytes: Int) -> Buffer?
  /// Makes the rows of a table reachable; `nil` where each row has to be read from the file when it is needed.
  func place(_ source: TableSource) throws -> Placement<Buffer>?
  /// Keeps what this device compiles from now on in a folder, and looks there first. For devices that compile at run
  /// time and whose system does not keep the outcome itself.
  func keepKernels(in folder: String)
  /// The kernel, compiled at its first use and kept.
  func pipeline(for kernel: Kernel) throws -> Pipeline
  /// `timed` measures how long the device takes, where it can.
  func makeCommandBuffer(timed: Bool) throws -> Commands
  /// Copies from `offset` bytes on of a buffer that no command in flight writes.
  func read(_ buffer: Buffer, from offset: Int, into target: UnsafeMutableRawBufferPointer) throws
  /// Copies to a buffer that no command in flight uses, from `offset` bytes on.
  func write(_ source: UnsafeRawBufferPointer, into buffer: Buffer, at offset: Int) throws
}

extension Device {
  public func keepKernels(in folder: String) {}
}

/// Commands that run in the order in which they were recorded, as one submission.
public protocol CommandBuffer {
  associatedtype Buffer
  associatedtype Pipeline

  /// Records a copy of the host's bytes, as they are now, to the beginning of a buffer that no other commands use.
  mutating func write(_ source: UnsafeRawBufferPointer, into buffer: Buffer) throws
  /// The dispatches from here on find the buffer, from `offset` bytes on, at `index`, 0 to 7. It stays alive until the
  /// commands have run.
  mutating func bind(_ buffer: Buffer, offset: UInt64, at index: Int) throws
  /// Records one run of a kernel over the bound buffers. `arguments` are copied.
  mutating func dispatch(_ pipeline: Pipeline, arguments: UnsafeRawBufferPointer, grid: Grid) throws
  /// Hands the commands to the device.
  mutating func commit() throws
  /// Returns when the commands have run, and throws where they failed.
  mutating func wait() throws
  /// How long the device took, once `wait` has returned; 0 where it was not measured.
  var deviceSeconds: Double { get }
}

/// A buffer from `offset` bytes on.
public struct BufferSlice<Buffer> {
  public let buffer: Buffer
  public let offset: UInt64

  public init(_ buffer: Buffer, offset: UInt64 = 0) {
    self.buffer = buffer
    self.offset = offset
  }
}

/// The bytes of a table in its file, for a device to place.
public struct TableSource: Sendable {
  public let file: GGUFFile
  /// From the GGUF's start.
  public let offset: UInt64
  public let rowBytes: UInt64
  public let rows: UInt64
  /// Whether the rows are to be read where the file is mapped, also by a device with memory of its own.
  public var isInPlace = false

  public var bytes: UInt64 { rows * rowBytes }
}

/// Where a device has a table: one part, or several that cover all rows where it is too long for one buffer.
public struct Placement<Buffer: Sendable>: Sendable {
  public struct View: Sendable {
    public let slice: BufferSlice<Buffer>
    public let firstRow: UInt64
    public let rows: UInt64

    public init(_ slice: BufferSlice<Buffer>, firstRow: UInt64, rows: UInt64) {
      self.slice = slice
      self.firstRow = firstRow
      self.rows = rows
    }
  }

  public let views: [View]
  /// Whether the rows are the device's own copy, not the mapped file.
  public let isCopy: Bool

  public init(views: [View], isCopy: Bool) {
    self.views = views
    self.isCopy = isCopy
  }
}

extension BufferSlice: Sendable where Buffer: Sendable {}
