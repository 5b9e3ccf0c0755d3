import MuserCore
import MuserMetal
import Testing

/// Everything that uses the GPU, one test after another: the stand-in's failures would reach tests beside it.
@Suite(.serialized) struct MetalTests {}

extension MetalTests {
  @Suite struct RowsTests {
    static let types = TensorType.all.filter { $0.kernel != nil }
    let cpu: any Engine
    let metal: any Engine

    init() throws {
      cpu = DeviceEngine(try CPUDevice())
      metal = DeviceEngine(try MetalDevice())
    }

    private func expectSameBits(
      _ file: TableFile, _ ids: [UInt32], _ options: RowOptions = RowOptions(), placement: String = "mapped"
    ) throws {
      let table = try file.table(on: metal, options)
      #expect(table.placement == placement)
      let same = try table.bits(ids) == file.table(on: cpu, options).bits(ids)
      #expect(same, "\(table.shape.type.name) [\(file.columns), \(file.rows)], \(ids.count) ids, \(options)")
    }

    @Test(arguments: types) func everyTypeHasTheSameBitsAsOnTheCPU(_ type: TensorType) throws {
      // Three blocks a row, or a number of columns that is no multiple of anything.
      let columns = type.blockValues == 1 ? 37 : Int(type.blockValues) * 3
      let file = try TableFile(type, columns: columns, rows: 41)
      for count in [1, 2, 64, 512] { try expectSameBits(file, file.ids(count)) }
      try expectSameBits(file, file.ids(64), RowOptions(scale: 1.7))
      try expectSameBits(file, file.ids(65), RowOptions(half: true))
      try expectSameBits(file, file.ids(63), RowOptions(scale: -0.3, half: true))
    }

    @Test(arguments: types) func oneBlockARowAndWholeVectorsOfColumns(_ type: TensorType) throws {
      let file = try TableFile(type, columns: type.blockValues == 1 ? 8 : Int(type.blockValues), rows: 17)
      try expectSameBits(file, file.ids(40))
    }

    @Test(arguments: types.filter { $0.blockValues <= 32 || $0.name == "Q4_K" })
    func batchesWiderThan65535Rows(_ type: TensorType) throws {
      let file = try TableFile(type, columns: type.blockValues == 1 ? 3 : Int(type.blockValues), rows: 1000)
      try expectSameBits(file, file.ids(65_537))
    }

    @Test func outputsThatNeedSeveralSubmissions() throws {
      let type = try #require(TensorType(id: 1))
      let file = try TableFile(type, columns: 2052, rows: 70)
      try expectSameBits(file, file.ids(8201))
    }

    @Test func aTableThatBeginsWhereKernelsCannotReadIsCopied() throws {
      let type = try #require(TensorType(id: 12))
      let file = try TableFile(type, columns: 768, rows: 41, prefix: 8)
      let table = try file.table(on: metal, start: 8)
      #expect(table.placement == "copied")
      #expect(try table.bits(file.ids(64)) == file.table(on: cpu, start: 8).bits(file.ids(64)))
    }

    @Test func aFileThatIsNotMappedIsCopied() throws {
      let type = try #require(TensorType(id: 8))
      let file = try TableFile(type, columns: 96, rows: 41)
      let table = try file.table(on: metal, map: false)
      #expect(table.placement == "copied")
      #expect(try table.bits(file.ids(64)) == file.table(on: cpu).bits(file.ids(64)))
    }

    @Test func anIdPastTheLastRowIsRefusedBeforeTheGPUSeesIt() throws {
      let type = try #require(TensorType(id: 8))
      let file = try TableFile(type, columns: 32, rows: 41)
      let error = #expect(throws: MuserError.self) { try file.table(on: metal).bits([1, 41]) }
      #expect(error?.code == .id)
    }

    @Test func manyThreadsLookUpAtOnce() async throws {
      let type = try #require(TensorType(id: 12))
      let file = try TableFile(type, columns: 256, rows: 500)
      let table = try file.table(on: metal)
      let expected = try file.table(on: cpu)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for thread in 0..<8 {
          let batches = (1...20).map { file.ids(thread * 20 + $0) }
          group.addTask { try batches.allSatisfy { try table.bits($0) == expected.bits($0) } }
        }
        for try await same in group { #expect(same) }
      }
    }
  }
}
