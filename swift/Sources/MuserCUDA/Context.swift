import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The GPU's context in this process, which every buffer, kernel and stream belongs to. Lost for good when a command
/// fails or never ends: from then on every use throws.
final class Context: @unchecked Sendable {
  let driver: Driver
  let device: Int32
  /// Seconds after which a command that has not ended is given up.
  let deadline: Double
  private let handle: Driver.Context
  private let lock = Lock()
  private var loss: MuserError?
  private var idleStreams: [Driver.Stream] = []

  init(_ driver: Driver, device: Int32, deadline: Double) throws {
    var handle: Driver.Context?
    let status = driver.retainContext(&handle, device)
    guard status == Driver.success, let handle else {
      throw MuserError(
        .device, "the GPU lets this process in no more: \(driver.describe(status)), end the processes that hold it")
    }
    self.driver = driver
    self.device = device
    self.deadline = deadline
    self.handle = handle
  }

  deinit {
    for stream in idleStreams { _ = driver.destroyStream(stream) }
    _ = driver.releaseContext(device)
  }

  /// Makes the context the calling thread's own. Everything else here needs that first.
  func enter() throws {
    if let loss = lock.locked({ loss }) { throw loss }
    try check(driver.useContext(handle), "entering the GPU's context")
  }

  /// Frees what the context holds, unless it is lost: its memory may still be in use, and goes when the process ends.
  func release(_ body: (Driver) -> Void) {
    if (try? enter()) != nil { body(driver) }
  }

  /// Throws where `status` is an error, told as the outcome of `step`.
  func check(_ status: Driver.Status, _ step: @autoclosure () -> String) throws {
    if status == Driver.success { return }
    let failure = "\(step()) failed with \(driver.describe(status))"
    throw Driver.lasting.contains(status) ? lose(.device, failure) : MuserError(.device, failure)
  }

  private func lose(_ code: MuserError.Code, _ what: String) -> MuserError {
    let remedy = "; the device is closed, so start the program again or use the device cpu"
    lock.locked { loss = loss ?? MuserError(.device, what + remedy) }
    return MuserError(code, what + remedy)
  }

  /// A stream that nobody else uses until it is given back.
  fileprivate func takeStream() throws -> Driver.Stream {
    if let idle = lock.locked({ idleStreams.popLast() }) { return idle }
    var stream: Driver.Stream?
    try check(driver.makeStream(&stream, Driver.nonBlocking), "making a stream")
    guard let stream else { throw MuserError(.device, "the driver made no stream") }
    return stream
  }

  /// Takes back a stream whose commands have all run.
  fileprivate func giveBack(_ stream: Driver.Stream) { lock.locked { idleStreams.append(stream) } }

  /// Returns when the commands of `stream` have run; the context is lost where they failed or did not end.
  fileprivate func wait(for stream: Driver.Stream) throws {
    let begin = Self.now()
    while true {
      let status = driver.queryStream(stream)
      if status == Driver.success { return }
      if status != Driver.notReady { throw lose(.device, "a command on the GPU failed with \(driver.describe(status))") }
      let elapsed = Self.now() - begin
      if elapsed > deadline { throw lose(.timeout, "the GPU did not finish a command in \(deadline) s") }
      // A short command ends before a sleeping thread would wake.
      if elapsed > 50e-6 { usleep(useconds_t(min(1000, elapsed * 1e6 / 16))) }
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Commands that run in order, on loan from the context. The calling thread has entered the context.
final class Stream {
  let handle: Driver.Stream
  private let context: Context
  private var isIdle = true
  /// What the commands use; kept as long as the loan.
  private var used: [AnyObject] = []

  init(on context: Context) throws {
    handle = try context.takeStream()
    self.context = context
    used.reserveCapacity(8)  // four buffers and a kernel, mostly
  }

  /// Keeps what commands use until the stream is given back.
  func keep(_ thing: AnyObject) { used.append(thing) }

  /// Commands that nobody waited for still use their buffers. A stream that never comes to rest is not given back.
  deinit {
    try? wait()
    if isIdle { context.giveBack(handle) }
  }

  /// Adds what `body` gives to the stream.
  func add(_ step: String, _ body: (Driver, Driver.Stream) -> Driver.Status) throws {
    isIdle = false
    try context.check(body(context.driver, handle), step)
  }

  /// Returns when all commands have run, throws where they failed.
  func wait() throws {
    if isIdle { return }
    try context.enter()
    try context.wait(for: handle)
    isIdle = true
  }
}
