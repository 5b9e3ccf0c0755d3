import MuserCore
import Testing

@testable import MuserCUDA

extension CUDATests {
  /// The device over a driver that executes nothing.
  @Suite(.serialized) struct CUDADeviceTests {
    init() { FakeCUDA.reset() }

    @Test func aLookupCopiesTheTableOnceThenIdsRunsTheKernelAndWaits() throws {
      try Scenario.run()
      let steps = FakeCUDA.calls.filter { call in
        ["cuMemcpy", "cuLaunch", "cuStreamQuery"].contains { call.hasPrefix($0) }
      }
      // A few rows come across the bus as the kernel writes them: nothing is copied back.
      #expect(
        steps == [
          "cuMemcpyHtoDAsync_v2", "cuStreamQuery", "cuMemcpyHtoDAsync_v2", "cuLaunchKernel", "cuStreamQuery",
        ])
      // Two rows of 8 columns fit one block.
      #expect(FakeCUDA.calls.contains { $0.hasPrefix("1x128:") })
    }

    @Test func oneIdIsNotCopiedButGoesWithTheKernel() throws {
      try Scenario.run(ids: [2])
      #expect(FakeCUDA.calls.filter { $0 == "cuMemcpyHtoDAsync_v2" }.count == 1)  // the table
      #expect(FakeCUDA.calls.filter { $0 == "cuLaunchKernel" }.count == 1)
    }

    @Test func whateverIsMadeIsDestroyed() throws {
      try Scenario.run()
      #expect(FakeCUDA.live == 0)
    }

    @Test func tablesOfOneTensorShareItsCopy() throws {
      try Scenario.run(tables: 3)
      // The table's chunk and the ids.
      #expect(FakeCUDA.calls.filter { $0 == "cuMemcpyHtoDAsync_v2" }.count == 2)
      #expect(FakeCUDA.live == 0)
    }

    @Test func aTableThatIsWantedInPlaceIsPinnedThereAndLetGo() throws {
      try Scenario.run(inPlace: true, tables: 2)
      #expect(FakeCUDA.calls.filter { $0 == "cuMemHostRegister_v2" }.count == 1)
      #expect(FakeCUDA.calls.filter { $0 == "cuMemcpyHtoDAsync_v2" }.count == 1)
      #expect(FakeCUDA.live == 0)
    }

    @Test func aTableThatCannotBePinnedIsCopied() throws {
      try Scenario.run(inPlace: true)
      let calls = FakeCUDA.calls.filter { $0 != "cuCtxSetCurrent" && !$0.hasPrefix("cuGetError") }
      let register = try #require(calls.firstIndex(of: "cuMemHostRegister_v2"))
      FakeCUDA.reset()
      FakeCUDA.fail(register, 712)
      try Scenario.run(inPlace: true)
      #expect(FakeCUDA.calls.filter { $0 == "cuMemcpyHtoDAsync_v2" }.count == 2)
      #expect(FakeCUDA.live == 0)
    }

    @Test func eachCallThatFailsIsAnErrorAndLeaksNothing() throws {
      try Scenario.run()
      var failures = 0
      for number in 0..<FakeCUDA.calls.count {
        FakeCUDA.reset()
        FakeCUDA.fail(number, 1)
        guard let failure = Scenario.failure() else { continue }
        failures += 1
        #expect(failure.code == .device)
        #expect(failure.message.contains("as the test asked") || failure.message.contains("error: fake"))
        let calls = FakeCUDA.calls
        let failed = calls.firstIndex(of: "fails").map { calls[$0 - 1] } ?? ""
        // Commands that failed end the device with all that it holds.
        #expect((FakeCUDA.live == 0) == (failed != "cuStreamQuery"), "\(failed)")
      }
      #expect(failures > 30)
    }

    @Test func memoryThatRunsOutIsAnErrorOfItsOwn() throws {
      let device = try FakeCUDA.device()
      for shared in [false, true] {
        FakeCUDA.fail(0, Driver.outOfMemory)
        let failure = #expect(throws: MuserError.self) { _ = try device.makeBuffer(bytes: 123, shared: shared) }
        #expect(failure?.code == .memory)
        #expect(failure?.message.contains("123 bytes of memory left") == true)
      }
      _ = try device.makeBuffer(bytes: 123, shared: false)
    }

    @Test func theLargestGridIsOneLaunchOnTheLongAxis() throws {
      let device = try FakeCUDA.device()
      let pipeline = try device.pipeline(for: .embedding(try #require(TensorType(id: 12))))
      var commands = try device.makeCommandBuffer(timed: false)
      let grid = Grid(rows: 1 << 21, threadsPerRow: 1 << 10)
      try commands.dispatch(pipeline, arguments: UnsafeRawBufferPointer(start: nil, count: 0), grid: grid)
      try commands.wait()
      #expect(FakeCUDA.calls.contains("16777216x128:2147483648,1024"))
    }

    @Test func aCommandThatTakesAWhileIsWaitedForAndTimed() throws {
      let device = try FakeCUDA.device()
      var commands = try device.makeCommandBuffer(timed: true)
      let pipeline = try device.pipeline(for: .embedding(try #require(TensorType(id: 12))))
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      try commands.dispatch(pipeline, arguments: nothing, grid: Grid(rows: 1, threadsPerRow: 1))
      try commands.commit()
      FakeCUDA.beBusy(20)
      try commands.wait()
      #expect(FakeCUDA.calls.filter { $0 == "cuStreamQuery" }.count == 20)
      #expect(commands.deviceSeconds == 0.0015)
    }

    @Test func aCommandThatNeverEndsClosesTheDeviceAtTheDeadline() throws {
      let device = try FakeCUDA.device(deadline: 0.02)
      let buffer = try device.makeBuffer(bytes: 64, shared: false)
      var commands = try device.makeCommandBuffer(timed: false)
      try [UInt32(7)].withUnsafeBytes { try commands.write($0, into: buffer) }
      FakeCUDA.beBusy(-1)
      let failure = #expect(throws: MuserError.self) { try commands.wait() }
      #expect(failure?.code == .timeout)
      FakeCUDA.beBusy(0)
      let closed = #expect(throws: MuserError.self) { _ = try device.makeCommandBuffer(timed: false) }
      #expect(closed?.code == .device)
      #expect(closed?.message.contains("did not finish a command in 0.02 s; the device is closed") == true)
      withExtendedLifetime(buffer) {}
      #expect(!FakeCUDA.calls.contains("cuMemFree_v2"))
    }

    @Test func anErrorThatLastsClosesTheDevice() throws {
      let device = try FakeCUDA.device()
      FakeCUDA.fail(0, 719)
      #expect(throws: MuserError.self) { _ = try device.makeBuffer(bytes: 1, shared: false) }
      let closed = #expect(throws: MuserError.self) { _ = try device.makeBuffer(bytes: 1, shared: false) }
      #expect(closed?.message.contains("start the program again") == true)
    }
  }
}
