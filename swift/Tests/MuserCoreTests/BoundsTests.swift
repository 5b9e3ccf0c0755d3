import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@testable import MuserCore

/// What opening may cost: time and memory in proportion to the header.
struct BoundsTests {
  /// Headers that ask for the most work a byte.
  @Test(arguments: ["keys", "tensors", "texts", "equal tensors", "tensors backwards"])
  func aHeaderTakesTimeInProportionToItsLength(_ kind: String) throws {
    let small = try seconds(Self.header(kind, count: 2_000))
    let large = try seconds(Self.header(kind, count: 16_000))
    // Eight times the header, with room for a machine that is busy; quadratic would be 64 times.
    #expect(large < max(small, 0.005) * 30)
  }

  /// The least of three runs, in time of this thread: what else the machine does is not counted.
  @Test func memoryThatTheSystemDoesNotHaveIsAnError() throws {
    let answer = try attempt { try HostMemory.with(bytes: Int.max) { _ in } }
    #expect(answer.outcome == .refused(.memory) && answer.message.hasPrefix("Cannot look up rows: "))
  }

  @Test func aDeviceWithoutRoomForAPageHasNoRoomForARow() throws {
    let answer = try attempt { _ = try TableView.plan(start: 4095, rowBytes: 10, rows: 3, page: 4096, limit: 4095) }
    #expect(answer.outcome == .refused(.memory))
  }

  private func seconds(_ file: [UInt8]) throws -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let durations = try (0..<3).map { _ in
      let begin = now()
      _ = try outcome(file)
      return now() - begin
    }
    return durations.min()!
  }

  private static func header(_ kind: String, count: Int) -> [UInt8] {
    var file = GGUFBuilder.empty
    switch kind {
    case "keys": file.pairs = (0..<count).map { .init("key \($0)", .u8(1)) }
    case "texts": file.pairs = [.init("texts", .array(8, UInt64(count), Array(repeating: 0, count: count * 8)))]
    case "tensors": file.tensors = (0..<count).map { .init("t\($0)", 24, [1], bytes: 1) }
    case "equal tensors": file.tensors = (0..<count).map { _ in .init("t", 24, [1], bytes: 1) }
    default:
      file.tensors = (0..<count).map { .init("t\($0)", 24, [1], bytes: 1, offset: UInt64((count - 1 - $0) * 32)) }
    }
    return file.bytes
  }
}
