#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Memory sized by a caller or a file. Swift's own allocations end the process where memory runs out; these throw.
enum HostMemory {
  static func allocate(_ bytes: Int) throws -> UnsafeMutableRawPointer { try grow(nil, to: bytes) }

  /// The memory with its contents, of another length and perhaps in another place. Where this throws it is as it was.
  static func grow(_ old: UnsafeMutableRawPointer?, to bytes: Int) throws -> UnsafeMutableRawPointer {
    guard let memory = realloc(old, max(bytes, 1)) else {
      throw MuserError(.memory, "the system has no \(bytes) bytes of memory left; ask for fewer rows at once or end other programs")
    }
    return memory
  }

  /// Memory for the duration of `body`: from the stack where it is small, so that one row costs no allocation.
  /// Inlined: a closure that is passed on holds on to what it uses, which that row would feel, too.
  @inline(__always) static func with<Result>(
    bytes: Int, _ body: (UnsafeMutableRawPointer) throws -> Result
  ) throws -> Result {
    if bytes <= 1024 {
      return try withUnsafeTemporaryAllocation(byteCount: max(bytes, 1), alignment: 16) { try body($0.baseAddress!) }
    }
    let memory = try MuserError.naming("look up rows") { try allocate(bytes) }
    defer { free(memory) }
    return try body(memory)
  }
}
