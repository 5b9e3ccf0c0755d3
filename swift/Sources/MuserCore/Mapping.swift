#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file mapped into memory, read-only. Whoever hands its bytes to a device keeps it alive until the device is done.
public final class Mapping: @unchecked Sendable {
  public let bytes: UnsafeRawBufferPointer

  /// Maps the whole of `file`; `nil` where its file system cannot.
  init?(_ file: OpenFile) {
    guard let length = Int(exactly: file.size), length > 0 else { return nil }
    // Some file systems refuse shared mappings and allow private ones.
    for kind in [MAP_SHARED, MAP_PRIVATE] {
      let address = mmap(nil, length, PROT_READ, kind, file.descriptor, 0)
      guard let address, address != MAP_FAILED else { continue }
      bytes = UnsafeRawBufferPointer(start: address, count: length)
      return
    }
    return nil
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count) }

  /// Rows are read here and there: without this advice each one brings its neighbours into the page cache, a hundred
  /// times what is needed.
  func adviseRandom() { _ = madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count, MADV_RANDOM) }
}
