import MuserCore

/// A pair of events around kernels, of which the GPU notes the times.
final class Timer {
  private let context: Context
  private let first: Driver.Event
  private let last: Driver.Event
  private var isRunning = false

  init(on context: Context) throws {
    self.context = context
    first = try Self.event(context)
    last = try Self.event(context)
  }

  deinit {
    context.release { driver in
      _ = driver.destroyEvent(first)
      _ = driver.destroyEvent(last)
    }
  }

  /// Before a kernel; the first time counts.
  func begin(_ stream: Stream) throws {
    if isRunning { return }
    isRunning = true
    try stream.add("timing") { $0.recordEvent(first, $1) }
  }

  func end(_ stream: Stream) throws {
    if isRunning { try stream.add("timing") { $0.recordEvent(last, $1) } }
  }

  /// From the first kernel's begin to the end, which the GPU must have reached.
  func seconds() throws -> Double {
    guard isRunning else { return 0 }
    var milliseconds: Float = 0
    try context.check(context.driver.milliseconds(&milliseconds, first, last), "timing")
    return Double(milliseconds) / 1000
  }

  private static func event(_ context: Context) throws -> Driver.Event {
    var event: Driver.Event?
    try context.check(context.driver.makeEvent(&event, 0), "making an event")
    guard let event else { throw MuserError(.device, "the driver made no event") }
    return event
  }
}
