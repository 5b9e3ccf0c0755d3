import Testing

@testable import MuserCore

struct NameSetTests {
  private func insertAll(_ names: [[UInt8]], capacity: Int) -> [Bool] {
    // A name never begins at byte 0 of a file.
    let bytes = [0] + Array(names.joined())
    var set = NameSet(capacity: capacity)
    return bytes.withUnsafeBytes { memory in
      var start = 1
      return names.map { name in
        defer { start += name.count }
        return set.insert(start..<start + name.count, in: memory)
      }
    }
  }

  @Test func aNameIsNewOnce() {
    #expect(insertAll([[1], [2], [1], [1, 1], [2]], capacity: 5) == [true, true, false, true, false])
  }

  @Test func aSetFilledToItsCapacityFindsEveryName() {
    let names = (0..<5000).map { Array("name \($0)".utf8) }
    let answers = insertAll(names + names, capacity: 10_000)
    #expect(answers.prefix(5000).allSatisfy { $0 })
    #expect(answers.suffix(5000).allSatisfy { !$0 })
  }

  @Test func namesOfTheLongestLengthAreToldApart() {
    let name = Array(repeating: UInt8(7), count: 65_535)
    var other = name
    other[65_534] = 8
    #expect(insertAll([name, other, name, other], capacity: 4) == [true, true, false, false])
  }

  @Test func aSetOfCapacityZeroTakesAName() {
    #expect(insertAll([[1]], capacity: 0) == [true])
  }
}
