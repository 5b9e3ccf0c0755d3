import Foundation
import MuserABI
import Testing

@testable import MuserCore

/// Many threads at once on one model, for the thread sanitizer to look at.
struct ConcurrencyTests {
  private static let file = GGUFBuilder.of(.numbered("table", columns: 17, rows: 400))

  @Test(arguments: [true, false])
  func oneTableServesEightThreads(_ map: Bool) throws {
    let opened = try TestModel(Self.file, map: map)
    let table = try opened.model.table(named: "table", RowOptions())
    inParallel(8) { thread in
      for turn in 0..<50 {
        let ids = [UInt32((thread * 50 + turn) % 400), UInt32(399 - turn)]
        let values = try table.values(ids)
        guard values[0] == Float(1000 * ids[0]), values[17] == Float(1000 * ids[1]) else { throw OverrunError() }
      }
    }
  }

  @Test(arguments: [true, false])
  func eightThreadsOpenDescribeAndCheckAModel(_ map: Bool) throws {
    let opened = try TestModel(Self.file, map: map)
    inParallel(8) { _ in
      for _ in 0..<10 {
        _ = try opened.model.describe()
        try opened.model.check()
        let other = try Model(paths: [opened.file.path], start: 0, map: map, engine: DeviceEngine(CPUDevice()))
        _ = try other.table(named: "table", RowOptions()).values([1])
      }
    }
  }

  @Test func sessionsOfOneModelRunSideBySide() throws {
    let opened = try TestModel(Self.file)
    inParallel(4) { thread in
      let session = try opened.model.session(capacity: 4)
      let table = try session.addTable(try opened.model.table(named: "table", RowOptions()))
      let output = try session.addBuffer(bytes: 4 * 17 * 4)
      let step = try [MuserOperation.embedding.rawValue, table, 0, output].withUnsafeBufferPointer { try session.record($0) }
      for turn in 0..<20 {
        let id = UInt32(thread * 20 + turn)
        try session.run(step, rows: 1, ids: [id])
        var value: Float = -1
        try withUnsafeMutableBytes(of: &value) { try session.read(output, from: 0, into: $0) }
        guard value == Float(1000 * id) else { throw OverrunError() }
      }
    }
  }

  /// Runs `body` on so many threads that overlap.
  private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    DispatchQueue.concurrentPerform(iterations: count) { thread in
      do { try body(thread) } catch { Issue.record("thread \(thread): \(error)") }
    }
  }
}
