import MuserCPU
import Testing

@testable import MuserCore

/// What went wrong in other programs between a proven file and the rows of its tables.
struct LookupTests {
  private func numbered(_ row: UInt32, _ columns: Int) -> [Float] { (0..<columns).map { Float(1000 * Int(row) + $0) } }

  @Test(arguments: 0..<32, [true, false])
  func everyTableHasItsOwnRowsWhateverTheSizeOfTheMetadata(_ padding: Int, _ map: Bool) throws {
    var file = GGUFBuilder.of(
      .init("a", 0, [4, 1], bytes: 16), .init("b", 0, [4, 1], bytes: 16), .init("c", 0, [4, 1], bytes: 16), alignment: 16)
    for index in 0..<3 { file.tensors[index].data = Array(repeating: UInt8(index + 1), count: 16) }
    file.pairs.append(.init("padding", .text(Array(repeating: 65, count: padding))))
    let opened = try TestModel(file, map: map)
    for (index, name) in ["a", "b", "c"].enumerated() {
      let value = Float(bitPattern: 0x0101_0101 * UInt32(index + 1))
      #expect(try opened.rows([0], of: name) == Array(repeating: value, count: 4))
    }
  }

  @Test(arguments: [true, false])
  func aTableOf17Times40HasEveryRowInItsPlace(_ map: Bool) throws {
    let opened = try TestModel(.of(.init("first", 0, [3], bytes: 12), .numbered("table", columns: 17, rows: 40)), map: map)
    let ids = Array(UInt32(0)..<40)
    #expect(try opened.rows(ids, of: "table") == ids.flatMap { numbered($0, 17) })
    #expect(try opened.rows(ids.reversed(), of: "table") == ids.reversed().flatMap { numbered($0, 17) })
    #expect(try opened.rows([39, 39, 0, 39], of: "table") == [39, 39, 0, 39].flatMap { numbered($0, 17) })
  }

  @Test(arguments: [true, false])
  func aFileInsideAnotherHasTheSameRows(_ map: Bool) throws {
    let file = GGUFBuilder.of(.numbered("table", columns: 5, rows: 9), alignment: 1)
    let alone = try TestModel(file.bytes, map: map)
    let inside = try TestModel(Array("prefix ".utf8) + file.bytes + [1, 2, 3], start: 7, map: map)
    #expect(try inside.rows([8, 0, 3], of: "table") == alone.rows([8, 0, 3], of: "table"))
  }

  @Test(arguments: [true, false])
  func anyNumberOfIdsCanBeLookedUp(_ map: Bool) throws {
    let opened = try TestModel(.of(.numbered("table", columns: 1, rows: 11)), map: map)
    // Reading is a system call a row.
    let counts = [0, 1, 2, 3, 10, 11, 12, 255, 256, 257] + (map ? [65_535, 65_536, 65_537, 1_000_000] : [])
    for count in counts { try expectRows(of: opened, count) }
  }

  /// Rows longer than a part, and not of whole parts or lines.
  @Test func outputThatNoCacheHoldsHasTheValuesOfItsRows() throws {
    let columns = 2_055
    let opened = try TestModel(.of(.numbered("table", columns: columns, rows: 7)))
    let rows = (0..<7).map { numbered($0, columns) }
    let count = Int(muser_cpu_cache_bytes()) / (columns * 4) + 2
    let values = try opened.rows((0..<count).map { UInt32($0 * 3 % 7) }, of: "table")
    #expect((0..<count).allSatisfy { rows[$0 * 3 % 7][...] == values[$0 * columns..<($0 + 1) * columns] })
  }

  private func expectRows(of opened: TestModel, _ count: Int) throws {
    let ids = (0..<count).map { UInt32($0 * 7 % 11) }
    let values = try opened.rows(ids, of: "table")
    #expect(values.count == count)
    #expect(zip(values, ids).allSatisfy { $0 == Float(1000 * $1) })
  }

  @Test(arguments: [UInt32(40), 41, 1 << 16, 0x7FFF_FFFF, 0x8000_0000, .max], [true, false])
  func anIdPastTheLastRowIsRefusedWithItsPositionAndTheLimit(_ id: UInt32, _ map: Bool) throws {
    let opened = try TestModel(.of(.numbered("table", columns: 17, rows: 40)), map: map)
    let table = try opened.model.table(named: "table", RowOptions())
    var output = Array(repeating: Float(-1), count: 3 * 17)
    let (refusal, message) = try attempt {
      try output.withUnsafeMutableBytes { output in
        try [0, id, 39].withUnsafeBufferPointer { try table.rows($0, into: output.baseAddress!) }
      }
    }
    #expect(refusal == .refused(.id))
    #expect(message == "Cannot look up id \(id) at position 1: table \"table\" has 40 rows, use ids from 0 to 39")
    #expect(output.allSatisfy { $0 == -1 }, "something was written before every id was checked")
  }

  @Test func aVocabularyOfAnotherSizeThanTheTableIsNoError() throws {
    var file = GGUFBuilder.of(.numbered("token_embd.weight", columns: 1, rows: 92))
    file.pairs = [.init("tokenizer.ggml.tokens", .texts((0..<98).map { "\($0)" }))]
    let opened = try TestModel(file)
    #expect(opened.model.file.metadata("tokenizer.ggml.tokens")?.count == 98)
    #expect(try opened.rows([91]) == [91_000])
    #expect(try attempt { _ = try opened.rows([92]) }.outcome == .refused(.id))
  }

  @Test func unknownTensorsBesideTheTableDoNoHarm() throws {
    var file = GGUFBuilder.of(.init("x", 200, [7, 3], bytes: 64), .numbered("token_embd.weight", columns: 3, rows: 4))
    file.tensors.append(.init("y", 99, [1], bytes: 64))
    #expect(try TestModel(file).rows([2]) == numbered(2, 3))
  }

  @Test func aScaleIsMultipliedOnceAndRowsAreRawWithoutOne() throws {
    let opened = try TestModel(.of(.numbered("table", columns: 3, rows: 40)))
    let scale: Float = 33.941_125
    #expect(try opened.rows([39], of: "table") == numbered(39, 3))
    // More than f16 could hold.
    #expect(try opened.rows([39], of: "table", RowOptions(scale: scale)) == numbered(39, 3).map { $0 * scale })
  }

  @Test func rowsAreTheSameBitsMappedAndRead() throws {
    var tensors: [GGUFBuilder.Tensor] = []
    for type in TensorType.all where type.kernel != nil {
      let columns = type.blockValues * 3
      tensors.append(.init(type.name, type.id, [columns, 5], bytes: Int(columns / type.blockValues * type.blockBytes) * 5))
    }
    let file = GGUFBuilder(tensors: tensors)
    let (mapped, read) = (try TestModel(file), try TestModel(file, map: false))
    for tensor in tensors {
      let name = String(decoding: tensor.name, as: UTF8.self)
      let ids: [UInt32] = [4, 0, 2, 2, 1, 3]
      #expect(try mapped.rows(ids, of: name).map(\.bitPattern) == read.rows(ids, of: name).map(\.bitPattern))
      #expect(try mapped.rows(ids, of: name).map(\.bitPattern) == ids.flatMap { try mapped.rows([$0], of: name).map(\.bitPattern) })
    }
  }
}
