import Foundation

@testable import MuserCore

/// A model on the CPU over a temporary file.
struct TestModel {
  let file: TemporaryFile
  let model: Model

  init(_ bytes: [UInt8], start: UInt64 = 0, map: Bool = true) throws {
    file = try TemporaryFile(bytes)
    model = try Model(paths: [file.path], start: start, map: map, engine: DeviceEngine(CPUDevice()))
  }

  init(_ builder: GGUFBuilder, map: Bool = true) throws { try self.init(builder.bytes, map: map) }

  func rows(_ ids: [UInt32], of table: String = "token_embd.weight", _ options: RowOptions = RowOptions()) throws -> [Float] {
    try model.table(named: table, options).values(ids)
  }
}

extension RowTable {
  /// The rows as f32. Guards around the output find a write outside it.
  func values(_ ids: [UInt32]) throws -> [Float] {
    let guardValues = 1024
    let count = ids.count * Int(shape.columns)
    var output = Array(repeating: Float.nan, count: count + 2 * guardValues)
    try output.withUnsafeMutableBufferPointer { output in
      try ids.withUnsafeBufferPointer { try rows($0, into: output.baseAddress! + guardValues) }
    }
    let guards = output.prefix(guardValues) + output.suffix(guardValues)
    guard guards.allSatisfy(\.isNaN) else { throw OverrunError() }
    return Array(output[guardValues..<guardValues + count])
  }
}

struct OverrunError: Error {}

extension GGUFBuilder.Tensor {
  /// An F32 table whose value in column c of row r is 1000 r + c.
  static func numbered(_ name: String, columns: Int, rows: Int) -> Self {
    var tensor = Self(name, 0, [UInt64(columns), UInt64(rows)])
    tensor.data = (0..<rows).flatMap { row in
      (0..<columns).flatMap { column in littleEndian(Float(1000 * row + column).bitPattern) }
    }
    return tensor
  }
}
