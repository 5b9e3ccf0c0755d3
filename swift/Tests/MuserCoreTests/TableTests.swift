import Testing

@testable import MuserCore

/// Which tensors are tables, and what is said of the others.
struct TableTests {
  private func refusal(_ tensor: GGUFBuilder.Tensor, named name: String = "t") throws -> (Outcome, String) {
    let opened = try TestModel(.of(tensor))
    let answer = try attempt { _ = try opened.model.table(named: name, RowOptions()) }
    #expect(answer.outcome == .read || answer.message.hasPrefix("Cannot open table \"\(name)\" of \(opened.file.path): "))
    return answer
  }

  @Test(arguments: [[4, 2], [4, 2, 1], [4, 2, 1, 1], [1, 8], [8, 1]] as [[UInt64]])
  func twoDimensionsAndFurtherOnesOf1AreATable(_ shape: [UInt64]) throws {
    #expect(try refusal(.init("t", 0, shape)).0 == .read)
  }

  @Test(arguments: [[], [8], [2, 2, 2], [2, 2, 1, 2], [4, 0], [0, 4], [0, 0], [4, 2, 0]] as [[UInt64]])
  func otherShapesAreNot(_ shape: [UInt64]) throws {
    let (outcome, message) = try refusal(.init("t", 0, shape, bytes: shape.contains(0) ? 0 : 32))
    #expect(outcome == .refused(.shape))
    #expect(message.contains("\"t\"") && message.contains("\(shape)"))
    if shape.count < 2 { #expect(message.hasSuffix("a table has two dimensions")) }
  }

  @Test func columnsAndRowsHave32Bits() throws {
    let huge: UInt64 = 1 << 32
    for (shape, isTable) in [([1, huge - 1], true), ([1, huge], false), ([huge - 1, 1], true), ([huge, 1], false)] {
      let tensor = try tensor(type: 24, shape: shape)
      let answer = try attempt { _ = try TableShape(tensor, named: "t", dataOffset: 0) }
      #expect(answer.outcome == (isTable ? .read : .refused(.shape)))
    }
  }

  /// A record by itself, whose data need not be anywhere.
  private func tensor(type: UInt32, shape: [UInt64]) throws -> GGUFTensor {
    let record = GGUFBuilder.of(.init("t", 0, shape, bytes: 0)).bytes.dropFirst(24)
    return try Array(record).withUnsafeBytes {
      var cursor = GGUFCursor($0, total: UInt64($0.count))
      return try GGUFTensor(parsing: &cursor)
    }
  }

  @Test(arguments: [200, 4, 31, .max] as [UInt32])
  func aTypeThatIsNotKnownIsNamedByItsNumber(_ type: UInt32) throws {
    let (outcome, message) = try refusal(.init("t", type))
    #expect(outcome == .refused(.type))
    #expect(message.contains("\"t\"") && message.contains("type \(type)") && message.contains("Q8_0"))
  }

  @Test func aTypeWithoutRowsSaysWhyAndWhichHaveThem() throws {
    let (outcome, message) = try refusal(.init("t", 26))
    #expect(outcome == .refused(.type))
    #expect(message.contains("I32") && message.contains("integers") && message.contains("Q8_0"))
  }

  @Test func aNameThatIsNotThereListsTheTablesThatAre() throws {
    let (outcome, message) = try refusal(.init("blk.0.weight"), named: "token_embd.weight")
    #expect(outcome == .refused(.tensor))
    #expect(message.contains("\"blk.0.weight\""))
    #expect(try refusal(.init("t", 0, [8]), named: "u").1.contains("no other"))
  }

  @Test func ofManyTablesTwelveAreListed() throws {
    let opened = try TestModel(GGUFBuilder(tensors: (0..<20).map { .init("t\($0)") }))
    let message = try attempt { _ = try opened.model.table(named: "u", RowOptions()) }.message
    #expect(message.contains("\"t11\" and 8 more"))
  }

  @Test func theTokenTableHasTheWidthThatTheFileStates() throws {
    for (width, isSound) in [(UInt32(3), false), (4, true), (5, false), (0, false)] {
      var file = GGUFBuilder.sound
      file.pairs[1] = .init("llama.embedding_length", .u32(width))
      let answer = try attempt { _ = try TestModel(file) }
      #expect(answer.outcome == (isSound ? .read : .refused(.shape)))
      if !isSound { #expect(answer.message.contains("4 columns") && answer.message.contains("is \(width)")) }
    }
  }

  @Test func aWidthOfAnyIntegerTypeIsCompared() throws {
    let values: [GGUFBuilder.Value] = [.u8(5), .i8(5), .u16(5), .i16(5), .u32(5), .i32(5), .u64(5), .i64(5)]
    for value in values {
      var file = GGUFBuilder.sound
      file.pairs[1] = .init("llama.embedding_length", value)
      #expect(try attempt { _ = try TestModel(file) }.outcome == .refused(.shape))
    }
    for value: GGUFBuilder.Value in [.i8(-4), .i16(-4), .i32(-4), .i64(-4), .f32(5), .text("5"), .bool(1)] {
      var file = GGUFBuilder.sound
      file.pairs[1] = .init("llama.embedding_length", value)
      #expect(try attempt { _ = try TestModel(file) }.outcome == .read)
    }
  }

  @Test func aTableStatesItsFacts() throws {
    for (map, placement) in [(true, "mapped"), (false, "read")] {
      let table = try TestModel(.of(.numbered("a \"table\"", columns: 17, rows: 40)), map: map).model
        .table(named: "a \"table\"", RowOptions(scale: 0.5, half: true))
      let text = String(decoding: table.describe().text, as: UTF8.self)
      for fact in [
        #""name":"a \"table\"""#, #""columns":17"#, #""rows":40"#, #""rowBytes":68"#, #""bytes":2720"#, #""scale":0.5"#,
        #""output":"f16""#, #""placement":"\#(placement)""#, #""device":"cpu""#,
      ] { #expect(text.contains(fact), "\(text)") }
    }
  }

  @Test func namesThatWouldSteerATerminalAreShownWithout() throws {
    var file = GGUFBuilder.sound
    file.pairs[0] = .init("general.architecture", .text("a\u{1B}[2J\0\u{202E}b"))
    file.pairs[1] = .init("a\u{1B}[2J\0\u{202E}b.embedding_length", .u32(5))
    let message = try attempt { _ = try TestModel(file) }.message
    #expect(message.contains("\"a\u{FFFD}[2J\u{FFFD}\u{FFFD}b.embedding_length\" is 5"))
  }
}
