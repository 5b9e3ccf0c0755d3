import MetalKernels
import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs committed commands in their order, each on a thread of its own.
final class StandInQueue: MTLCommandQueue {
  private let monitor = Monitor()
  private var committed = 0
  private var done = 0

  func makeCommandBuffer() -> (any MTLCommandBuffer)? { StandIn.fails(.commands) ? nil : StandInCommands(self) }

  func submit(_ work: @escaping () -> Void) {
    let turn = monitor.update {
      committed += 1
      return committed - 1
    }
    detach { [self] in
      while monitor.wait(seconds: 60, { done == turn ? true : nil }) == nil {}
      work()
      monitor.update { done += 1 }
    }
  }

  private func detach(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Body>.fromOpaque(box!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    StandIn.require(status == 0, "no thread to run a command on")
    pthread_detach(thread)
  }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}

final class StandInCommands: MTLCommandBuffer, @unchecked Sendable {
  private let queue: StandInQueue
  private let counted = StandIn.Counted()
  private let monitor = Monitor()
  private var dispatches: [StandInDispatch] = []
  private var handlers: [MTLCommandBufferHandler] = []
  private var hasOpenEncoder = false
  private var state = MTLCommandBufferStatus.notEnqueued
  private(set) var error: (any Error)?
  private(set) var gpuStartTime = 0.0
  private(set) var gpuEndTime = 0.0

  init(_ queue: StandInQueue) { self.queue = queue }

  deinit { StandIn.require(!hasOpenEncoder, "a command buffer let go of with an open encoder") }

  var status: MTLCommandBufferStatus { monitor.update { state } }

  func makeComputeCommandEncoder() -> (any MTLComputeCommandEncoder)? {
    StandIn.require(status == .notEnqueued, "an encoder for a command buffer that was committed")
    StandIn.require(!hasOpenEncoder, "a second open encoder")
    if StandIn.fails(.encoder) { return nil }
    hasOpenEncoder = true
    return StandInEncoder(self)
  }

  func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler) {
    StandIn.require(status == .notEnqueued, "a handler for a command buffer that was committed")
    handlers.append(block)
  }

  func encoded(_ dispatch: StandInDispatch) { dispatches.append(dispatch) }
  func encodingEnded() { hasOpenEncoder = false }

  func commit() {
    StandIn.require(status == .notEnqueued, "a command buffer committed twice")
    StandIn.require(!hasOpenEncoder, "a commit with an open encoder")
    monitor.update { state = .committed }
    if StandIn.fails(.wait) {
      // Lost: neither it nor any command after it ends, and only who committed it holds its buffers.
      return queue.submit { while true { pause() } }
    }
    let failure = StandIn.fails(.command) ? MTLCommandBufferError(code: .outOfMemory) : nil
    queue.submit { self.run(failure) }
  }

  private func run(_ failure: MTLCommandBufferError?) {
    gpuStartTime = Self.now()
    if failure == nil { dispatches.forEach { $0.run() } }
    dispatches = []
    gpuEndTime = Self.now()
    error = failure
    monitor.update { state = failure == nil ? .completed : .error }
    handlers.forEach { $0(self) }
    handlers = []
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
