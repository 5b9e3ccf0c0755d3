import Testing

@testable import MuserCore

/// Parts of split models, and what is taken for one.
struct ShardTests {
  private func part(_ number: GGUFBuilder.Value, of count: GGUFBuilder.Value, _ name: String = "t") -> GGUFBuilder {
    GGUFBuilder(
      pairs: [.init("split.no", number), .init("split.count", count)],
      tensors: [.numbered(name, columns: 3, rows: 5)])
  }

  private func refusal(_ files: [[UInt8]]) throws -> (outcome: Outcome, message: String) {
    let stored = try files.map { try TemporaryFile($0) }
    return try attempt {
      _ = try Model(paths: stored.map(\.path), start: 0, map: true, engine: DeviceEngine(CPUDevice()))
    }
  }

  @Test func aPartAloneSaysThatItsSiblingsAreNeeded() throws {
    let answer = try refusal([part(.u16(1), of: .u16(3)).bytes])
    #expect(answer.outcome == .refused(.split))
    #expect(answer.message.contains("part 2 of 3") && answer.message.contains("beside one another"))
  }

  @Test func partsJoinedEndToEndAreRecognised() throws {
    let answer = try refusal([part(.u16(0), of: .u16(2)).bytes + part(.u16(1), of: .u16(2), "u").bytes])
    #expect(answer.outcome == .refused(.split))
    #expect(answer.message.contains("joined end to end"))
  }

  @Test func partsInAnotherOrderAreRefused() throws {
    let parts = [part(.u16(1), of: .u16(2)).bytes, part(.u16(0), of: .u16(2), "u").bytes]
    #expect(try refusal(parts).outcome == .refused(.split))
    #expect(try refusal(parts.reversed()).outcome == .read)
  }

  @Test func aTensorInTwoPartsIsRefused() throws {
    let answer = try refusal([part(.u16(0), of: .u16(2)).bytes, part(.u16(1), of: .u16(2)).bytes])
    #expect(answer.outcome == .refused(.duplicate))
  }

  @Test func theNumberOfTensorsThatTheFirstPartStatesIsCompared() throws {
    for (stated, isSound) in [(2, true), (1, false), (3, false)] {
      var first = part(.u16(0), of: .u16(2))
      first.pairs.append(.init("split.tensors.count", .i32(Int32(stated))))
      let answer = try refusal([first.bytes, part(.u16(1), of: .u16(2), "u").bytes])
      #expect(answer.outcome == (isSound ? .read : .refused(.split)))
    }
  }

  @Test func everyPartIsProvenWhenTheModelIsOpened() throws {
    let parts = [part(.u16(0), of: .u16(2)).bytes, Array(part(.u16(1), of: .u16(2), "u").bytes.dropLast(32))]
    let stored = try parts.map { try TemporaryFile($0) }
    let answer = try attempt {
      _ = try Model(paths: stored.map(\.path), start: 0, map: true, engine: DeviceEngine(CPUDevice()))
    }
    #expect(answer.outcome == .refused(.range))
    #expect(answer.message.hasPrefix("Cannot open \(stored[1].path): "))
  }

  @Test func aModelWithoutAFileIsRefused() throws { #expect(try refusal([]).outcome == .refused(.argument)) }

  @Test func numbersOfPartsMayBeAnything() throws {
    let values: [GGUFBuilder.Value] = [
      .u64(.max), .i64(.min), .i64(.max), .u64(1 << 63), .u32(.max), .i32(-1), .u8(255), .text("1"), .f64(.nan),
    ]
    for number in values {
      for count in values {
        let answer = try refusal([part(number, of: count).bytes])
        #expect(answer.outcome == .read || answer.outcome == .refused(.split))
      }
    }
  }

  @Test func anEmptyTensorFarAwayDoesNotOverflowTheSearchForANextPart() throws {
    var file = part(.u16(0), of: .u16(2))
    file.tensors.append(.init("empty", 0, [0], bytes: 0, offset: .max - 31))
    #expect(try refusal([file.bytes]).outcome == .refused(.range))
    file.tensors[1].offset = 64
    #expect(try refusal([file.bytes]).outcome == .refused(.split))
    file.tensors = []
    #expect(try refusal([file.bytes]).outcome == .refused(.split))
    file.tensors = [.init("x", 200, [7], bytes: 5)]
    #expect(try refusal([file.bytes]).outcome == .refused(.split))
  }
}
