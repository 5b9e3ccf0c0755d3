import Foundation
import MuserCore

@testable import MuserCUDA

/// All that a table and a lookup do with a device, from its making to its end.
struct Scenario {
  /// A GGUF with one tensor, "t": F32, 8 columns, 3 rows.
  private static let file: [UInt8] = {
    func number(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    var bytes = Array("GGUF".utf8) + number(UInt32(3)) + number(UInt64(1)) + number(UInt64(0))
    bytes += number(UInt64(1)) + Array("t".utf8) + number(UInt32(2)) + number(UInt64(8)) + number(UInt64(3))
    bytes += number(UInt32(0)) + number(UInt64(0))
    bytes += [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
    return bytes + [UInt8](repeating: 1, count: 8 * 3 * 4)
  }()

  /// `inPlace` leaves the table in the mapped file; `tables` of the same tensor are opened; rows `ids` are looked up;
  /// compiled kernels are kept in `cache`.
  static func run(
    inPlace: Bool = false, tables: Int = 1, ids: [UInt32] = [2, 0], deadline: Double = 5, cache: String? = nil
  ) throws {
    let path = NSTemporaryDirectory() + "muser-cuda-\(getpid()).gguf"
    guard FileManager.default.createFile(atPath: path, contents: Data(file)) else { throw CocoaError(.fileWriteUnknown) }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let engine = DeviceEngine(try FakeCUDA.device(deadline: deadline))
    if let cache { engine.keepKernels(in: cache) }
    let model = try Model(paths: [path], start: 0, map: true, inPlace: inPlace, engine: engine)
    let opened = try (1...tables).map { try model.table(named: "t", RowOptions(scale: Float($0))) }
    var values = [Float](repeating: 0, count: ids.count * 8)
    try values.withUnsafeMutableBytes { values in
      try ids.withUnsafeBufferPointer { try opened[0].rows($0, into: values.baseAddress!) }
    }
  }

  /// The code and the message with which the scenario fails, `nil` where it does not.
  static func failure(deadline: Double = 5) -> MuserError? {
    do {
      try run(deadline: deadline)
      return nil
    } catch { return error as? MuserError ?? MuserError(.io, "\(error)") }
  }
}
