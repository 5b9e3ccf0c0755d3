import MuserCore

/// Whether the GPU can be trusted with another command, and how many it has. Once closed it stays so: a GPU that hangs
/// or fails again and again does not recover within a process.
final class MetalHealth: @unchecked Sendable {
  private let deadline: Double
  private let monitor = Monitor()
  private var inFlight = 0
  private var failuresInARow = 0
  private var reason: MuserError?

  init(deadline: Double) { self.deadline = deadline }

  /// Fails where the device is closed.
  func check() throws { try monitor.update(checkOpen) }

  /// Waits for a place among the commands in flight: the queue itself would wait for one without end.
  func begin() throws -> Ticket {
    let ticket = try monitor.wait(seconds: deadline) { () -> Ticket? in
      try checkOpen()
      guard inFlight < Self.mostInFlight else { return nil }
      inFlight += 1
      return Ticket(self)
    }
    guard let ticket else {
      throw close(.timeout, "the GPU finished none of \(Self.mostInFlight) commands in \(deadline) s")
    }
    return ticket
  }

  private func checkOpen() throws { if let reason { throw reason } }

  /// The error for the command at hand; every later one ends with the same words.
  private func close(_ code: MuserError.Code, _ what: String) -> MuserError {
    let message = "\(what); the device is closed, so start the program again or use the device cpu"
    monitor.update { reason = reason ?? MuserError(.device, message) }
    return MuserError(code, message)
  }

  /// Counts outcomes: the device is closed when failures follow each other.
  func report(_ failure: MuserError?) throws {
    let failures = monitor.update {
      failuresInARow = failure == nil ? 0 : failuresInARow + 1
      return failuresInARow
    }
    guard let failure else { return }
    throw failures < Self.mostFailures
      ? failure : close(failure.code, "\(failures) commands in a row failed, the last one because \(failure.message)")
  }

  /// A place among the commands in flight, from before the command exists until the GPU is done with it.
  final class Ticket: @unchecked Sendable {
    private let health: MetalHealth
    private var isFinished = false

    init(_ health: MetalHealth) { self.health = health }

    /// Where a command was never committed, nothing else says that its place is free.
    deinit { finish() }

    func finish() {
      health.monitor.update {
        if !isFinished { health.inFlight -= 1 }
        isFinished = true
      }
    }

    /// Returns when the command has run; closes the device where it has not within the deadline.
    func wait() throws {
      let finished = health.monitor.wait(seconds: health.deadline) { isFinished ? true : nil }
      if finished == nil { throw health.close(.timeout, "the GPU did not finish a command in \(health.deadline) s") }
    }

    func report(_ failure: MuserError?) throws { try health.report(failure) }
  }

  private static let mostInFlight = 64
  private static let mostFailures = 3
}
