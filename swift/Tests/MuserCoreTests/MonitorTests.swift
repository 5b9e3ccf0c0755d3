import Foundation
import MuserCore
import Testing

struct MonitorTests {
  // Safety: only touched under the monitor.
  private final class State: @unchecked Sendable { var value = 0 }

  @Test func aWaitEndsWhenAnotherThreadChangesTheState() {
    let monitor = Monitor()
    let state = State()
    Thread.detachNewThread { monitor.update { state.value = 7 } }
    #expect(monitor.wait(seconds: 30) { state.value > 0 ? state.value : nil } == 7)
  }

  @Test func aWaitForWhatNeverComesEndsAtItsDeadline() {
    let start = Date()
    let monitor = Monitor()
    let found: Int? = monitor.wait(seconds: 0.05) { nil }
    #expect(found == nil)
    #expect((0.05..<5).contains(Date().timeIntervalSince(start)))
  }

  @Test func whatTheStateThrowsEndsTheWait() {
    let monitor = Monitor()
    #expect(throws: MuserError.self) {
      let _: Int? = try monitor.wait(seconds: 30) { throw MuserError(.device, "closed") }
    }
  }
}
