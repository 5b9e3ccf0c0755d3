import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What tests can ask of the stand-in: to fail, to be small, and how many of its objects are alive.
public enum StandIn {
  /// The calls that can fail on Apple's systems.
  public enum Point: String, CaseIterable, Sendable {
    case device, unified, queue, library, function, pipeline, buffer, commands, encoder, command, wait
  }

  private struct State {
    var timesToFail: [Point: Int] = [:]
    var callToFail: Int?
    var calls = 0
    var callsOf: [Point: Int] = [:]
    var maxBufferLength = 1 << 36
    var live = 0
  }

  // Safety: only touched under the lock.
  nonisolated(unsafe) private static var state = State()
  private static let lock = Lock()
  /// `MUSER_STAND_IN_FAIL=buffer,command` makes these calls fail in the whole process.
  private static let failingAlways = Set(
    (getenv("MUSER_STAND_IN_FAIL").map { String(cString: $0) } ?? "").split(separator: ",").compactMap {
      Point(rawValue: String($0))
    })

  /// The next `times` calls of this kind fail.
  public static func fail(_ point: Point, times: Int = 1) { lock.locked { state.timesToFail[point] = times } }

  /// The `number`-th call from here on fails, whichever it is.
  public static func failCall(_ number: Int) {
    lock.locked {
      state.calls = 0
      state.callsOf = [:]
      state.callToFail = number
    }
  }

  /// Calls since `failCall`, of any kind or of one.
  public static var calls: Int { lock.locked { state.calls } }
  public static func calls(of point: Point) -> Int { lock.locked { state.callsOf[point] ?? 0 } }

  public static var maxBufferLength: Int {
    get { lock.locked { state.maxBufferLength } }
    set { lock.locked { state.maxBufferLength = newValue } }
  }

  /// Buffers, command buffers and encoders that exist.
  public static var live: Int { lock.locked { state.live } }

  /// Nothing fails any more, and buffers may be long.
  public static func reset() {
    lock.locked {
      state.timesToFail = [:]
      state.callToFail = nil
      state.maxBufferLength = State().maxBufferLength
    }
  }

  static func fails(_ point: Point) -> Bool {
    lock.locked {
      if failingAlways.contains(point) { return true }
      if let times = state.timesToFail[point], times > 0 {
        state.timesToFail[point] = times - 1
        return true
      }
      // No failures of a call, but other hardware and a lost command: tests ask for them by name.
      if point == .unified || point == .wait { return false }
      state.calls += 1
      state.callsOf[point, default: 0] += 1
      return state.calls == state.callToFail
    }
  }

  /// Ends the process as Apple's validation layer does.
  static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError("Metal stand-in: \(message())")
  }

  /// Counts the object that holds it.
  final class Counted {
    init() { StandIn.lock.locked { StandIn.state.live += 1 } }
    deinit { StandIn.lock.locked { StandIn.state.live -= 1 } }
  }
}
