import MuserCPU

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The processor as a device: the shader text at full vector width, on the level that this machine runs best.
public final class CPUDevice: Device {
  /// Memory of the process. The owner keeps it alive; borrowed memory has none.
  public struct Buffer: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    let bytes: Int
    let owner: AnyObject?
  }

  public struct Pipeline: Sendable { let run: MuserCPUKernel }

  public let name = "cpu"
  /// "baseline", "neon", "x86-64-v3" or "x86-64-v4".
  public let level: String
  private let levelIndex: UInt32

  public var detail: String { "level \(level), \(muser_cpu_threads()) threads" }
  public var memory: UInt64 { UInt64(sysconf(Int32(_SC_PHYS_PAGES))) * UInt64(sysconf(Int32(_SC_PAGESIZE))) }

  /// `MUSER_CPU_LEVEL` forces a level, which must be one that this processor runs.
  public init() throws {
    let runnable = (0..<muser_cpu_level_count()).filter(muser_cpu_level_runs)
    let forced = getenv("MUSER_CPU_LEVEL").map { String(cString: $0) }
    guard let index = runnable.last(where: { forced == nil || Self.levelName($0) == forced }) else {
      let names = runnable.map(Self.levelName).joined(separator: ", ")
      throw MuserError(.device, "MUSER_CPU_LEVEL is \"\(forced ?? "")\", and this processor runs \(names)")
    }
    levelIndex = index
    level = Self.levelName(index)
  }

  private static func levelName(_ index: UInt32) -> String { String(cString: muser_cpu_level_name(index)) }

  public func makeBuffer(bytes: Int, shared: Bool) throws -> Buffer {
    let memory = try HostMemory.allocate(bytes)
    return Buffer(memory: memory, bytes: bytes, owner: Owner(memory))
  }

  public func contents(of buffer: Buffer) -> UnsafeMutableRawPointer { buffer.memory }

  public func borrow(_ memory: UnsafeMutableRawPointer, bytes: Int) -> Buffer? {
    Buffer(memory: memory, bytes: bytes, owner: nil)
  }

  /// A mapped table is read where it lies, at any address.
  public func place(_ source: TableSource) throws -> Placement<Buffer>? {
    guard let mapping = source.file.mapping else { return nil }
    // Safety: the kernels only read a table; the mapping is read-only and owned by the buffer.
    let memory = UnsafeMutableRawPointer(mutating: mapping.bytes.baseAddress! + Int(source.file.start + source.offset))
    let buffer = Buffer(memory: memory, bytes: Int(source.bytes), owner: mapping)
    return Placement(views: [.init(BufferSlice(buffer), firstRow: 0, rows: source.rows)], isCopy: false)
  }

  public func pipeline(for kernel: Kernel) throws -> Pipeline {
    switch kernel {
    case .embedding(let type):
      guard let run = muser_cpu_embedding(levelIndex, type.id) else {
        throw MuserError(.type, "the CPU has no kernel for \(type.name)")
      }
      return Pipeline(run: run)
    case .rmsNorm: return Pipeline(run: muser_cpu_rms_norm(levelIndex))
    }
  }

  public func makeCommandBuffer(timed: Bool) -> Commands { Commands() }

  public func read(_ buffer: Buffer, from offset: Int, into target: UnsafeMutableRawBufferPointer) {
    target.copyMemory(from: UnsafeRawBufferPointer(start: buffer.memory + offset, count: target.count))
  }

  public func write(_ source: UnsafeRawBufferPointer, into buffer: Buffer, at offset: Int) {
    (buffer.memory + offset).copyMemory(from: source.baseAddress!, byteCount: source.count)
  }

  /// A command runs when it is recorded, on the calling thread and, where it is wide, on others beside it; there is
  /// nothing to wait for.
  public struct Commands: CommandBuffer {
    private typealias Address = UnsafeMutableRawPointer?
    private var bound: (Address, Address, Address, Address, Address, Address, Address, Address) =
      (nil, nil, nil, nil, nil, nil, nil, nil)

    @inline(__always) public mutating func bind(_ buffer: borrowing Buffer, offset: UInt64, at index: Int) {
      let address = buffer.memory + Int(offset)
      withUnsafeMutableBytes(of: &bound) { $0.storeBytes(of: address, toByteOffset: index * 8, as: Address.self) }
    }

    @inline(__always) public func dispatch(_ pipeline: Pipeline, arguments: UnsafeRawBufferPointer, grid: Grid) {
      withUnsafeBytes(of: bound) { bound in
        let addresses = bound.baseAddress!.assumingMemoryBound(to: Address.self)
        muser_cpu_run(pipeline.run, arguments.baseAddress, addresses, grid.rows, grid.threadsPerRow)
      }
    }

    public func write(_ source: UnsafeRawBufferPointer, into buffer: Buffer) {
      if let start = source.baseAddress { buffer.memory.copyMemory(from: start, byteCount: source.count) }
    }

    public func commit() {}
    public func wait() {}
    public var deviceSeconds: Double { 0 }
  }

  private final class Owner: @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    init(_ memory: UnsafeMutableRawPointer) { self.memory = memory }
    deinit { free(memory) }
  }
}
