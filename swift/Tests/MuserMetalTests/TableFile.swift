import Foundation
import MuserCore

/// A GGUF file with one tensor, "table", of random bytes; gone when its last user is.
final class TableFile {
  let path: String
  let columns: Int
  let rows: Int

  /// `prefix` bytes come before the GGUF.
  init(_ type: TensorType, columns: Int, rows: Int, prefix: Int = 0) throws {
    self.columns = columns
    self.rows = rows
    path = FileManager.default.temporaryDirectory.appending(path: "muser-\(UUID().uuidString).gguf").path
    var bytes = [UInt8](repeating: 0, count: prefix) + Array("GGUF".utf8)
    func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    append(UInt32(3))
    append(UInt64(1))
    append(UInt64(0))
    append(UInt64(5))
    bytes += Array("table".utf8)
    append(UInt32(2))
    append(UInt64(columns))
    append(UInt64(rows))
    append(type.id)
    append(UInt64(0))
    while (bytes.count - prefix) % 32 != 0 { bytes.append(0) }
    var random = Random(seed: UInt64(type.id) << 32 | UInt64(columns))
    for _ in 0..<(rows * columns / Int(type.blockValues) * Int(type.blockBytes) + 7) / 8 { append(random.next()) }
    try Data(bytes).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Mappings of the file in this process.
  var mappings: Int {
    let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
    return String(decoding: maps ?? Data(), as: UTF8.self).split(separator: "\n").filter { $0.hasSuffix(path) }.count
  }

  func table(
    on engine: any Engine, start: Int = 0, map: Bool = true, _ options: RowOptions = RowOptions()
  ) throws -> any RowTable {
    try Model(paths: [path], start: UInt64(start), map: map, engine: engine).table(named: "table", options)
  }

  /// `count` ids, all over the table, the first and the last row among them.
  func ids(_ count: Int) -> [UInt32] {
    var random = Random(seed: UInt64(count))
    return (0..<count).map { index in
      index == 0 ? UInt32(rows - 1) : index == 1 ? 0 : UInt32(random.next() % UInt64(rows))
    }
  }
}

extension RowTable {
  /// The rows' bits. NaNs are all made the same one: which of them an operation gives depends on the processor.
  func bits(_ ids: [UInt32]) throws -> [UInt32] {
    let count = ids.count * Int(shape.columns)
    return options.half
      ? try gather(ids, UInt16.self, count).map { $0 & 0x7FFF > 0x7C00 ? 0x7E00 : UInt32($0) }
      : try gather(ids, UInt32.self, count).map { $0 & 0x7FFF_FFFF > 0x7F80_0000 ? 0x7FC0_0000 : $0 }
  }

  private func gather<Value: FixedWidthInteger>(_ ids: [UInt32], _: Value.Type, _ count: Int) throws -> [Value] {
    var values = [Value](repeating: 0, count: count)
    try values.withUnsafeMutableBytes { output in
      try ids.withUnsafeBufferPointer { try rows($0, into: output.baseAddress!) }
    }
    return values
  }
}

/// Numbers without a pattern, the same ones in every run.
struct Random {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
