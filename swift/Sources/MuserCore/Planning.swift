// How work that is too long for one buffer or one launch is divided: arithmetic that needs no device.

/// A part of a table in a buffer of its own, that begins and ends at a page.
public struct TableView: Equatable, Sendable {
  public let firstRow: UInt64
  public let rows: UInt64
  /// The buffer's bytes, at page borders around the rows.
  public let pages: Range<UInt64>
  /// Where the first row begins in the buffer.
  public let offset: UInt64

  /// The views of a table of `rows` rows that begins at byte `start`, with buffers of at most `limit` bytes. Buffers of
  /// neighbours overlap where rows do not end at a page. `page` is a power of two.
  public static func plan(
    start: UInt64, rowBytes: UInt64, rows: UInt64, page: UInt64, limit: UInt64
  ) throws -> [TableView] {
    // No table is longer than the largest file, and sums with it cannot overflow.
    let limit = min(limit, 1 << 62) / page * page
    var views: [TableView] = []
    var row: UInt64 = 0
    while row < rows {
      let begin = start + row * rowBytes
      let base = begin / page * page
      let fitting = limit > begin - base ? (limit - (begin - base)) / rowBytes : 0
      guard fitting > 0 else {
        throw MuserError(
          .memory, "a row has \(rowBytes) bytes, and the device's longest buffer \(limit); use the device cpu")
      }
      let count = min(fitting, rows - row)
      let end = begin + count * rowBytes
      views.append(
        TableView(firstRow: row, rows: count, pages: base..<(end + page - 1) / page * page, offset: begin - base))
      row += count
    }
    return views
  }
}

extension Grid {
  /// Threads that one launch may have: devices count them in 32 bits.
  public static let mostThreads: UInt64 = 1 << 31

  /// Rows that one launch may have, where it may have `limit` threads.
  public func rowsPerLaunch(limit: UInt64) -> UInt64 {
    // The division is for the rare wide one: a lookup of one row takes less than a microsecond.
    let threads = rows.multipliedFullWidth(by: threadsPerRow)
    return threads.high == 0 && threads.low <= limit ? max(1, rows) : max(1, limit / threadsPerRow)
  }

  /// The rows of each launch.
  public func launches(limit: UInt64 = Self.mostThreads) -> [Range<UInt64>] {
    let most = rowsPerLaunch(limit: limit)
    return stride(from: 0, to: rows, by: Int(most)).map { $0..<min($0 + most, rows) }
  }

  /// The threads of a group, at most `most`: as much of a row as fits, then as many rows; a row where its threads work
  /// together.
  public func group(most: UInt64) throws -> (width: UInt64, height: UInt64) {
    if isGroupPerRow {
      guard threadsPerRow <= most else {
        throw MuserError(
          .device, "\(threadsPerRow) threads share a row, and the device runs \(most) together; use the device cpu")
      }
      return (threadsPerRow, 1)
    }
    let width = max(1, min(threadsPerRow, most))
    return (width, max(1, min(rows, most / width)))
  }
}
