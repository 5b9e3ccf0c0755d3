import Foundation
import Testing

@testable import MuserCore

/// Tables past the numbers of 31 and 32 bits, in files that are holes but for the rows that are looked up.
struct LargeTableTests {
  struct Size: Sendable, CustomTestStringConvertible {
    let type: UInt32
    let columns: UInt64
    let rows: UInt64
    var testDescription: String { "type \(type), \(columns) times \(rows)" }
  }

  /// More than 2^31 values, more than 4 GiB, and more than 2^32 values, of F32, Q8_0 and Q4_K.
  private static let sizes: [Size] = [0, 8, 12].flatMap { type in
    [
      Size(type: type, columns: 4096, rows: 524_295), Size(type: type, columns: 6656, rows: 1_300_003),
      Size(type: type, columns: 256, rows: 16_777_223),
    ]
  }

  @Test(arguments: sizes)
  func rowsAtTheEndOfALongTableAreRight(_ size: Size) throws {
    let type = try #require(TensorType(id: size.type))
    let rowBytes = size.columns / type.blockValues * type.blockBytes
    let row = (0..<Int(rowBytes)).map { UInt8(truncatingIfNeeded: $0 % 7 * 9) }

    let header = GGUFBuilder.of(.init("table", size.type, [size.columns, size.rows], bytes: 0)).bytes
    let file = try TemporaryFile(header)
    let start = UInt64(header.count)
    let handle = try FileHandle(forWritingTo: URL(filePath: file.path))
    defer { try? handle.close() }
    try handle.truncate(atOffset: start + size.rows * rowBytes)
    // The last row, and the first past each border.
    let ids = [size.rows - 1, (1 << 31) / size.columns + 1, min(size.rows - 2, (1 << 32) / rowBytes + 1)].map { UInt32($0) }
    for id in ids {
      try handle.seek(toOffset: start + UInt64(id) * rowBytes)
      try handle.write(contentsOf: Data(row))
    }

    let alone = try TestModel(.of(.init(name: Array("table".utf8), type: size.type, dimensions: [size.columns, 1], data: row)))
    let expected = try alone.rows([0], of: "table").map(\.bitPattern)
    for map in [true, false] {
      let model = try Model(paths: [file.path], start: 0, map: map, engine: DeviceEngine(CPUDevice()))
      let table = try model.table(named: "table", RowOptions())
      for id in ids { #expect(try table.values([id]).map(\.bitPattern) == expected, "row \(id), map: \(map)") }
      #expect(try table.values([0]).allSatisfy { $0 == 0 })
      #expect(try attempt { _ = try table.values([UInt32(size.rows)]) }.outcome == .refused(.id))
    }
  }
}
