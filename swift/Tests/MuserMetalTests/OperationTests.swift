import MuserMetal
import Testing

@testable import MuserCore

extension MetalTests {
  /// The embedding with ids that nobody checked on the host, as they are where the device itself writes them.
  @Suite struct OperationTests {
    private let file: TableFile
    init() throws { file = try TableFile(try #require(TensorType(id: 8)), columns: 96, rows: 41) }

    /// Runs the lookup of `ids` and gives its rows; throws what the fault word says.
    private func lookUp<D: Device>(_ ids: [UInt32], on device: D, launchThreads: UInt64 = Grid.mostThreads) throws
      -> [Float]
    {
      let table = try #require(try file.table(on: DeviceEngine(device)) as? DeviceTable<D>)
      let output = try device.makeBuffer(bytes: ids.count * 96 * 4, shared: true)
      let idBuffer = try device.makeBuffer(bytes: ids.count * 4, shared: true)
      let fault = try device.makeBuffer(bytes: MemoryLayout<Fault>.size, shared: true)
      ids.withUnsafeBytes { device.contents(of: idBuffer).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      device.contents(of: fault).bindMemory(to: Fault.self, capacity: 1).pointee = Fault()
      var lookup = Embedding(table: table.table, ids: idBuffer, output: output, fault: fault)
      lookup.launchThreads = launchThreads
      var commands = try device.makeCommandBuffer(timed: false)
      try lookup.encode(into: &commands, Run(rows: ids.count))
      try commands.commit()
      try commands.wait()
      try device.contents(of: fault).assumingMemoryBound(to: Fault.self).pointee.check()
      var values = [Float](repeating: 0, count: ids.count * 96)
      try values.withUnsafeMutableBytes { try device.read(output, from: 0, into: $0) }
      return values
    }

    private func expectClampIsHeard(on device: some Device) {
      for launchThreads in [Grid.mostThreads, 50] {
        let error = #expect(throws: MuserError.self) {
          try lookUp([3, 40, 41, 7, .max, 41], on: device, launchThreads: launchThreads)
        }
        #expect(error?.code == .id)
        #expect(error?.message.contains("3 of the ids") == true)
        #expect(error?.message.contains("position 2") == true)
      }
    }

    @Test func aClampOnTheCPUIsHeard() throws { expectClampIsHeard(on: try CPUDevice()) }
    @Test func aClampOnTheGPUIsHeard() throws { expectClampIsHeard(on: try MetalDevice()) }

    @Test func severalLaunchesGiveWhatOneGives() throws {
      let ids = file.ids(100)
      let whole = try lookUp(ids, on: try MetalDevice()).map(\.bitPattern)
      for threads in [1, 24, 100, 1000] as [UInt64] {
        #expect(try lookUp(ids, on: try MetalDevice(), launchThreads: threads).map(\.bitPattern) == whole)
        #expect(try lookUp(ids, on: try CPUDevice(), launchThreads: threads).map(\.bitPattern) == whole)
      }
    }

    private func normalise<D: Device>(_ values: [Float], columns: Int, on device: D) throws -> [UInt32] {
      let bytes = values.count * 4
      let buffer = try device.makeBuffer(bytes: bytes, shared: true)
      let norm = RMSNorm<D>(
        pipeline: try device.pipeline(for: .rmsNorm), input: buffer, output: buffer, columns: UInt32(columns), epsilon: 1e-5)
      var commands = try device.makeCommandBuffer(timed: false)
      try values.withUnsafeBytes { try commands.write($0, into: buffer) }
      try norm.encode(into: &commands, Run(rows: values.count / columns))
      try commands.commit()
      try commands.wait()
      var result = [UInt32](repeating: 0, count: values.count)
      try result.withUnsafeMutableBytes { try device.read(buffer, from: 0, into: $0) }
      return result
    }

    @Test(arguments: [1, 3, 255, 256, 257, 6656]) func theNormHasTheSameBitsAsOnTheCPU(_ columns: Int) throws {
      var random = Random(seed: UInt64(columns))
      let values = (0..<columns * 7).map { _ in Float(Int32(truncatingIfNeeded: random.next())) * 1e-7 }
      let expected = try normalise(values, columns: columns, on: try CPUDevice())
      #expect(try normalise(values, columns: columns, on: try MetalDevice()) == expected)
    }

    @Test func theGPUsTimeIsKnownAfterTheWait() throws {
      let device = try MetalDevice()
      let commands = try device.makeCommandBuffer(timed: false)
      commands.commit()
      try commands.wait()
      #expect(commands.deviceSeconds >= 0)
    }

    @Test func everyKernelIsBuilt() throws {
      let device = try MetalDevice()
      for type in TensorType.all where type.kernel != nil { _ = try device.pipeline(for: .embedding(type)) }
    }
  }
}
