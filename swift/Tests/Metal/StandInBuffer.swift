#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Memory with an unmapped page behind it, full of values that nobody wrote, or the caller's own pages.
final class StandInBuffer: MTLBuffer {
  let length: Int
  private let start: UnsafeMutableRawPointer
  private let mapped: (address: UnsafeMutableRawPointer, bytes: Int)?
  private let deallocator: ((UnsafeMutableRawPointer, Int) -> Void)?
  private let counted = StandIn.Counted()

  init?(length: Int) {
    let page = Int(getpagesize())
    let room = (length + Self.alignment - 1) / Self.alignment * Self.alignment
    let bytes = (room + page - 1) / page * page + page
    let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS)
    guard let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), address != MAP_FAILED else {
      return nil
    }
    mprotect(address + bytes - page, page, PROT_NONE)
    start = address + bytes - page - room
    memset(start, 0xA5, length)
    mapped = (address, bytes)
    deallocator = nil
    self.length = length
  }

  init(over pointer: UnsafeMutableRawPointer, length: Int, deallocator: ((UnsafeMutableRawPointer, Int) -> Void)?) {
    start = pointer
    mapped = nil
    self.length = length
    self.deallocator = deallocator
  }

  deinit {
    if let mapped { munmap(mapped.address, mapped.bytes) }
    deallocator?(start, length)
  }

  func contents() -> UnsafeMutableRawPointer { start }

  /// Whether the first and the last page can still be reached.
  static func isMapped(_ pointer: UnsafeMutableRawPointer, _ length: Int) -> Bool {
    let page = Int(getpagesize())
    var resident: UInt8 = 0
    return [0, (length - 1) / page * page].allSatisfy { at in
      let address = UInt(bitPattern: pointer + at) / UInt(page) * UInt(page)
      return mincore(UnsafeMutableRawPointer(bitPattern: address), page, &resident) == 0
    }
  }

  func requireMapped() {
    StandIn.require(Self.isMapped(start, length), "a buffer whose memory was unmapped before its command ended")
  }

  private static let alignment = 16
}
