import MuserCore

/// The tables that the GPU can read at the moment: tables of the same tensor, with other scales or outputs, share one.
final class PlacedTables: @unchecked Sendable {
  struct Place {
    let slice: BufferSlice<CUDABuffer>
    let isCopy: Bool
  }

  /// A tensor of a file. Buffers keep the file, so that no other one can take its identity while they are there.
  private struct Key: Hashable {
    let file: ObjectIdentifier
    let offset: UInt64
    let isInPlace: Bool

    init(_ source: TableSource) {
      file = ObjectIdentifier(source.file)
      offset = source.offset
      isInPlace = source.isInPlace
    }
  }

  private struct Entry {
    weak var buffer: CUDABuffer?
    let offset: UInt64
    let isCopy: Bool
  }

  private let lock = Lock()
  private var entries: [Key: Entry] = [:]

  func find(_ source: TableSource) -> Place? {
    lock.locked {
      guard let entry = entries[Key(source)], let buffer = entry.buffer else { return nil }
      return Place(slice: BufferSlice(buffer, offset: entry.offset), isCopy: entry.isCopy)
    }
  }

  func keep(_ place: Place, for source: TableSource) {
    lock.locked {
      entries = entries.filter { $0.value.buffer != nil }
      entries[Key(source)] = Entry(buffer: place.slice.buffer, offset: place.slice.offset, isCopy: place.isCopy)
    }
  }
}
