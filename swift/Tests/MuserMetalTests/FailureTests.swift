#if MUSER_STAND_IN
import Foundation
import Metal
import MuserCore
import MuserMetal
import Testing

extension MetalTests {
  /// What the GPU can do wrong, asked of the stand-in.
  @Suite final class FailureTests {
    private let file: TableFile
    private let ids: [UInt32]
    private let expected: [UInt32]
    private let liveBefore: Int

    init() throws {
      StandIn.reset()
      file = try TableFile(try #require(TensorType(id: 8)), columns: 96, rows: 41)
      ids = file.ids(64)
      expected = try file.table(on: DeviceEngine(try CPUDevice())).bits(ids)
      liveBefore = StandIn.live
    }

    deinit { StandIn.reset() }

    private func lookUp(_ engine: any Engine) throws -> [UInt32] { try file.table(on: engine).bits(ids) }

    /// Nothing of an attempt is left, once the thread that ran its last command has let go of it.
    private func expectNothingLeaked() {
      let deadline = Date(timeIntervalSinceNow: 10)
      while StandIn.live > liveBefore || file.mappings > 0, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
      #expect(StandIn.live == liveBefore)
      #expect(file.mappings == 0)
    }

    @Test(
      arguments: [
        (.device, .device, "no Metal device"), (.unified, .device, "memory of its own"),
        (.queue, .device, "no command queue"),
        (.library, .device, "cannot compile embedding.metal"),
        (.function, .device, "has no kernel muser_embedding_q80"),
        (.pipeline, .device, "cannot build the kernel muser_embedding_q80"), (.buffer, .memory, "cannot reach"),
        (.commands, .device, "no command buffer"), (.encoder, .device, "no command encoder"),
        (.command, .memory, "ended the command with status 5, error 8"),
      ] as [(StandIn.Point, MuserError.Code, String)])
    func aFailureIsATypedErrorAndASecondTryWorks(_ point: StandIn.Point, _ code: MuserError.Code, _ words: String)
      throws
    {
      StandIn.fail(point)
      let error = #expect(throws: MuserError.self) { try lookUp(DeviceEngine(try MetalDevice())) }
      #expect(error?.code == code)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      expectNothingLeaked()
      #expect(try lookUp(DeviceEngine(try MetalDevice())) == expected)
      expectNothingLeaked()
    }

    @Test func everyCallThatCanFailDoesSoOnceWithoutHarm() throws {
      var number = 0
      var result: [UInt32]?
      while result == nil {
        number += 1
        let engine = DeviceEngine(try MetalDevice())
        StandIn.failCall(number)
        do {
          result = try lookUp(engine)
        } catch {
          #expect(error is MuserError)
          #expect(try lookUp(engine) == expected, "after call \(number) failed")
        }
      }
      #expect(StandIn.calls < number && number > 8)
      #expect(result == expected)
      expectNothingLeaked()
    }

    @Test func aCommandThatNeverEndsClosesTheDeviceAndKeepsItsMemory() throws {
      StandIn.fail(.wait)
      let engine = DeviceEngine(try MetalDevice(deadline: 0.1))
      let lost = #expect(throws: MuserError.self) { try lookUp(engine) }
      #expect(lost?.code == .timeout)
      #expect(lost?.message.hasPrefix("Cannot look up 64 rows of table \"table\": the GPU ") == true)
      #expect(lost?.message.contains("did not finish a command in 0.1 s") == true)
      let later = #expect(throws: MuserError.self) { try lookUp(engine) }
      #expect(later?.code == .device)
      #expect(later?.message.contains("the device is closed, so start the program again") == true)
      #expect(file.mappings == 1, "the lost command may still read the mapping")
      #expect(StandIn.live > liveBefore)
      #expect(try lookUp(DeviceEngine(try MetalDevice())) == expected)
    }

    @Test func commandsThatFailAgainAndAgainCloseTheDevice() throws {
      let table = try file.table(on: DeviceEngine(try MetalDevice()))
      StandIn.fail(.command, times: 2)
      for _ in 0..<2 { #expect(throws: MuserError.self) { try table.bits(ids) } }
      #expect(try table.bits(ids) == expected, "a success in between starts the count again")
      StandIn.fail(.command, times: 3)
      for _ in 0..<2 { #expect(throws: MuserError.self) { try table.bits(ids) } }
      let third = #expect(throws: MuserError.self) { try table.bits(ids) }
      #expect(third?.message.contains("3 commands in a row failed") == true)
      let later = #expect(throws: MuserError.self) { try table.bits(ids) }
      #expect(later?.code == .device && later?.message.contains("start the program again") == true)
    }

    @Test func aTablePartlyInMemoryWhenMemoryRunsOutIsLetGoOf() throws {
      StandIn.maxBufferLength = 4 * 4096
      let engine = DeviceEngine(try MetalDevice())
      let large = try TableFile(try #require(TensorType(id: 8)), columns: 96, rows: 500)
      StandIn.failCall(4)  // library, function, pipeline, then the first of the views
      #expect(throws: MuserError.self) { try large.table(on: engine) }
      StandIn.failCall(3)
      #expect(throws: MuserError.self) { try large.table(on: engine) }
      #expect(large.mappings == 0)
      expectNothingLeaked()
    }

    @Test(arguments: [true, false]) func aTableBeyondTheLongestBufferLiesInSeveral(map: Bool) throws {
      StandIn.maxBufferLength = 5 * 4096
      for type in RowsTests.types {
        let columns = type.blockValues == 1 ? 37 : 256
        let large = try TableFile(type, columns: columns, rows: 700)
        let table = try large.table(on: DeviceEngine(try MetalDevice()), map: map)
        let rows = large.ids(16)
        #expect(try table.bits(rows) == large.table(on: DeviceEngine(try CPUDevice())).bits(rows), "\(type.name)")
      }
    }

    @Test func anOutputBeyondTheLongestBufferIsAnErrorThatNamesTheLimit() throws {
      let table = try file.table(on: DeviceEngine(try MetalDevice()))
      StandIn.maxBufferLength = 4096
      let error = #expect(throws: MuserError.self) { try table.bits(ids) }
      #expect(error?.code == .memory)
      #expect(error?.message.contains("4096 are the most") == true)
    }

    @Test func commandsThatAreNeverCommittedGiveTheirPlaceBack() throws {
      let device = try MetalDevice(deadline: 0.1)
      for _ in 0..<100 { _ = try device.makeCommandBuffer(timed: false) }
      StandIn.fail(.commands, times: 100)
      for _ in 0..<100 { #expect(throws: MuserError.self) { try device.makeCommandBuffer(timed: false) } }
      #expect(try lookUp(DeviceEngine(device)) == expected)
    }

    @Test func moreCommandsAtOnceThanTheQueueHoldsWaitAndThenFail() throws {
      let device = try MetalDevice(deadline: 0.1)
      var held: [MetalCommands] = []
      let error = #expect(throws: MuserError.self) {
        while true { held.append(try device.makeCommandBuffer(timed: false)) }
      }
      #expect(held.count == 64)
      #expect(error?.code == .timeout)
      #expect(throws: MuserError.self) { try device.makeBuffer(bytes: 4, shared: true) }
    }

    @Test func aFileThatWasCutIsNoticedBeforeTheGPUReadsIt() throws {
      let table = try file.table(on: DeviceEngine(try MetalDevice()))
      try FileHandle(forWritingTo: URL(filePath: file.path)).truncate(atOffset: 0)
      let error = #expect(throws: MuserError.self) { try table.bits([3]) }
      #expect(error?.code == .changed)
    }

    @Test func theMappingLivesAsLongAsItsTable() throws {
      var table: (any RowTable)? = try file.table(on: DeviceEngine(try MetalDevice()))
      #expect(file.mappings == 1)
      #expect(try table?.bits(ids) == expected)
      table = nil
      expectNothingLeaked()
    }

    @Test func aKernelIsCompiledOnceADeviceHoweverManyThreadsAskForIt() async throws {
      let device = try MetalDevice()
      let type = try #require(TensorType(id: 8))
      StandIn.failCall(.max)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try device.pipeline(for: .embedding(type)) } }
        try await group.waitForAll()
      }
      _ = try device.pipeline(for: .embedding(try #require(TensorType(id: 12))))
      #expect(StandIn.calls(of: .library) == 1)
      #expect(StandIn.calls(of: .pipeline) == 2)
    }
  }
}
#endif
