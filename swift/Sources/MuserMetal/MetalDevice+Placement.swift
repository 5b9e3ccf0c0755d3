import Metal
import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension MetalDevice {
  /// A mapped table is read where it lies: the buffers are the mapping's own pages. One that begins at an address that
  /// the kernels cannot read from is copied, and so is one of a file that is not mapped.
  public func place(_ source: TableSource) throws -> Placement<Buffer>? {
    try health.check()
    guard let mapping = source.file.mapping else { return try copy(source) }
    let address = UInt64(UInt(bitPattern: mapping.bytes.baseAddress)) + source.file.start + source.offset
    guard address % Self.tableAlignment == 0 else { return try copy(source) }
    let views = try TableView.plan(
      start: address, rowBytes: source.rowBytes, rows: source.rows, page: UInt64(getpagesize()),
      limit: UInt64(metal.maxBufferLength))
    return Placement(
      views: try views.map { view in
        .init(
          BufferSlice(try map(view.pages, of: mapping), offset: view.offset), firstRow: view.firstRow, rows: view.rows)
      }, isCopy: false)
  }

  private func map(_ pages: Range<UInt64>, of mapping: Mapping) throws -> Buffer {
    // Safety: the pages lie in the mapping, which the deallocator keeps; kernels only read a table.
    let memory = UnsafeMutableRawPointer(bitPattern: UInt(pages.lowerBound))
    let buffer = memory.flatMap {
      metal.makeBuffer(
        bytesNoCopy: $0, length: pages.count, options: .storageModeShared,
        deallocator: { _, _ in withExtendedLifetime(mapping) {} })
    }
    guard let buffer else {
      throw MuserError(
        .memory, "\(detail) cannot reach \(pages.count) more bytes of the file; close models or other programs")
    }
    return Buffer(metal: buffer)
  }

  private func copy(_ source: TableSource) throws -> Placement<Buffer> {
    let views = try TableView.plan(
      start: 0, rowBytes: source.rowBytes, rows: source.rows, page: 1, limit: UInt64(metal.maxBufferLength))
    return Placement(
      views: try views.map { view in
        let buffer = try makeBuffer(bytes: view.pages.count, shared: true)
        let target = UnsafeMutableRawBufferPointer(start: contents(of: buffer), count: view.pages.count)
        try source.file.read(into: target, from: source.offset + view.pages.lowerBound)
        return .init(BufferSlice(buffer), firstRow: view.firstRow, rows: view.rows)
      }, isCopy: true)
  }

  /// The widest load of the kernels.
  private static var tableAlignment: UInt64 { 16 }
}
