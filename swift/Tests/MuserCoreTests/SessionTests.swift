import MuserABI
import Testing

@testable import MuserCore

/// Command lists of any words: what fits runs, anything else is an error.
struct SessionTests {
  private static let embedding = MuserOperation.embedding.rawValue
  private static let rmsNorm = MuserOperation.rmsNorm.rawValue

  private let opened: TestModel
  private let session: any Session
  /// f32 `[4, 17]`.
  private let output: UInt32

  init() throws {
    opened = try TestModel(.of(.numbered("table", columns: 17, rows: 40)))
    session = try opened.model.session(capacity: 4)
    _ = try session.addTable(opened.model.table(named: "table", RowOptions()))
    output = try session.addBuffer(bytes: 4 * 17 * 4)
  }

  private func record(_ words: [UInt32]) throws -> UInt32 { try words.withUnsafeBufferPointer { try session.record($0) } }

  private func expectRefusal(_ words: String, _ body: () throws -> Void) throws {
    let answer = try attempt(body)
    #expect(answer.outcome == .refused(.argument))
    #expect(answer.message.contains(words), "\(answer.message)")
  }

  @Test func aStepOfTwoOperationsRuns() throws {
    let step = try record([Self.embedding, 0, 0, output, Self.rmsNorm, 17, output, output, Float(0).bitPattern])
    try session.run(step, rows: 2, ids: [39, 0])
    var values = Array(repeating: Float(0), count: 34)
    try values.withUnsafeMutableBytes { try session.read(output, from: 0, into: $0) }
    let row = (0..<17).map { Float(39_000 + $0) }
    let mean = row.map { Double($0 * $0) }.reduce(0, +) / 17
    #expect(zip(values, row).allSatisfy { abs(Double($0) - Double($1) / mean.squareRoot()) < 1e-5 })
    #expect(session.statistics.commandBuffers == 1)
  }

  @Test func wordsThatDoNotFitAreRefused() throws {
    try expectRefusal("99 is no operation") { _ = try record([99]) }
    try expectRefusal("0 is no operation") { _ = try record([0]) }
    try expectRefusal("lacks operands") { _ = try record([Self.embedding]) }
    try expectRefusal("lacks operands") { _ = try record([Self.rmsNorm, 17, output, output]) }
    try expectRefusal("no table 1") { _ = try record([Self.embedding, 1, 0, output]) }
    try expectRefusal("no table 4294967295") { _ = try record([Self.embedding, .max, 0, output]) }
    try expectRefusal("no buffer 9") { _ = try record([Self.embedding, 0, 9, output]) }
    try expectRefusal("no buffer 4294967295") { _ = try record([Self.embedding, 0, 0, .max]) }
    try expectRefusal("do not fit") { _ = try record([Self.embedding, 0, 0, 0]) }
    let short = try session.addBuffer(bytes: 4 * 17 * 4 - 1)
    try expectRefusal("do not fit") { _ = try record([Self.embedding, 0, 0, short]) }
    try expectRefusal("do not fit") { _ = try record([Self.rmsNorm, 18, output, output, 0]) }
    try expectRefusal("do not fit") { _ = try record([Self.rmsNorm, .max, output, output, 0]) }
  }

  @Test func everyListOfWordsIsRecordedOrRefused() throws {
    var dice = SystemRandomNumberGenerator()
    let likely: [UInt32] = [0, 1, 2, 3, 17, 18, .max, 1 << 31, Float(1e-5).bitPattern, Float.nan.bitPattern]
    for _ in 0..<2000 {
      let words = (0..<Int.random(in: 0...12, using: &dice)).map { _ in likely.randomElement(using: &dice)! }
      let answer = try attempt {
        let step = try record(words)
        try session.run(step, rows: 4, ids: [0, 39, 1, 2])
      }
      #expect(answer.outcome == .read || answer.outcome == .refused(.argument) || answer.outcome == .refused(.id))
    }
  }

  @Test func idsAreProvenAgainstTheShortestTableOfAStep() throws {
    let model = try TestModel(.of(.numbered("long", columns: 17, rows: 40), .numbered("short", columns: 17, rows: 7))).model
    let session = try model.session(capacity: 4)
    let tables = try ["long", "short"].map { try session.addTable(model.table(named: $0, RowOptions())) }
    let output = try session.addBuffer(bytes: 4 * 17 * 4)
    let words: [UInt32] = tables.flatMap { (table: UInt32) -> [UInt32] in [Self.embedding, table, 0, output] }
    let step = try words.withUnsafeBufferPointer { try session.record($0) }
    try session.run(step, rows: 1, ids: [6])
    let answer = try attempt { try session.run(step, rows: 1, ids: [7]) }
    #expect(answer.outcome == .refused(.id) && answer.message.contains("\"short\""))
  }

  @Test func idsOfTheHostGoToTheLookupsOfBuffer0Only() throws {
    let own = try session.addBuffer(bytes: 4 * 4)
    let other = try session.addBuffer(bytes: 4 * 17 * 4)
    let hosts: [UInt32] = [Self.embedding, 0, 0, output]
    let devices: [UInt32] = [Self.embedding, 0, own, other]
    try [UInt32](arrayLiteral: 30, 31, 32, 33).withUnsafeBytes { try session.write(own, from: $0, at: 0) }
    for step in [try record(hosts + devices), try record(devices + hosts)] {
      for ids in [[5], [6, 7], [8]] as [[UInt32]] {
        try session.run(step, rows: ids.count, ids: ids)
        #expect(try firstValues(of: output, ids.count) == ids.map { Float($0 * 1000) })
        #expect(try firstValues(of: other, ids.count) == (30..<30 + ids.count).map { Float($0 * 1000) })
        // Without ids those of the last run are there.
        try session.run(step, rows: ids.count, ids: nil)
        #expect(try firstValues(of: output, ids.count) == ids.map { Float($0 * 1000) })
      }
    }
  }

  /// The first value of each row.
  private func firstValues(of buffer: UInt32, _ rows: Int) throws -> [Float] {
    var values = Array(repeating: Float(0), count: rows * 17)
    try values.withUnsafeMutableBytes { try session.read(buffer, from: 0, into: $0) }
    return stride(from: 0, to: values.count, by: 17).map { values[$0] }
  }

  @Test func idsAndRowsAreChecked() throws {
    let step = try record([Self.embedding, 0, 0, output])
    #expect(try attempt { try session.run(step, rows: 1, ids: [40]) }.outcome == .refused(.id))
    try expectRefusal("capacity of 4") { try session.run(step, rows: 5, ids: [0, 0, 0, 0, 0]) }
    try expectRefusal("capacity of 4") { try session.run(step, rows: -1, ids: nil) }
    try expectRefusal("Cannot run") { try session.run(step + 1, rows: 1, ids: [0]) }
    try session.run(step, rows: 0, ids: nil)
    try session.run(step, rows: 4, ids: [0, 1, 2, 3])
    // Ids that are on the device already are checked there.
    try withUnsafeBytes(of: UInt32.max) { try session.write(0, from: $0, at: 0) }
    let answer = try attempt { try session.run(step, rows: 1, ids: nil) }
    #expect(answer.outcome == .refused(.id) && answer.message.contains("position 0"))
  }

  @Test func partsOfBuffersAreChecked() throws {
    var bytes = Array(repeating: UInt8(0), count: 300)
    let length = 4 * 17 * 4
    try bytes.withUnsafeMutableBytes { bytes in
      let whole = UnsafeMutableRawBufferPointer(rebasing: bytes[..<length])
      try session.write(output, from: UnsafeRawBufferPointer(whole), at: 0)
      try session.read(output, from: 0, into: whole)
    }
    for (buffer, offset, count) in [
      (output + 1, 0, 1), (output, 0, length + 1), (output, length, 1), (output, length + 1, 0), (output, -1, 1), (output, .max, 1),
      (0, 0, 17), (9, 0, 1), (.max, 0, 1),
    ] as [(UInt32, Int, Int)] {
      try bytes.withUnsafeMutableBytes { bytes in
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
        try expectRefusal("no such part") { try session.read(buffer, from: offset, into: part) }
        try expectRefusal("no such part") { try session.write(buffer, from: UnsafeRawBufferPointer(part), at: offset) }
      }
    }
  }

  @Test func aTableThatIsReadOrHalfIsRefused() throws {
    let read = try TestModel(.of(.numbered("table", columns: 17, rows: 40)), map: false)
    try expectRefusal("rows are read from the file") {
      _ = try session.addTable(try read.model.table(named: "table", RowOptions()))
    }
    let half = try session.addTable(opened.model.table(named: "table", RowOptions(half: true)))
    try expectRefusal("f16") { _ = try record([Self.embedding, half, 0, output]) }
  }

  @Test func sizesThatWrapTo0AreRefused() throws {
    // 8 GiB that nobody touches.
    guard let large = try? opened.model.session(capacity: 1 << 31) else { return }
    let words: [UInt32] = [Self.rmsNorm, 1 << 31, 0, 0, 0]
    try expectRefusal("do not fit") { _ = try words.withUnsafeBufferPointer { try large.record($0) } }
  }

  @Test func aBufferWithoutMemoryIsAnError() throws {
    for bytes in [Int.max, Int.max / 2, 1 << 60] {
      let answer = try attempt { _ = try session.addBuffer(bytes: bytes) }
      #expect(answer.outcome == .refused(.memory))
    }
  }
}
