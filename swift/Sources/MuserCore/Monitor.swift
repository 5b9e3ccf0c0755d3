#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Mutual exclusion for state that threads wait for, and never without a deadline.
public final class Monitor: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  public init() {
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    // Setting the system's clock must not move a deadline.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the state, and lets those who wait look at it.
  public func update<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }

  /// The first value that `body` finds in the state, or `nil` when `seconds` have passed without one.
  public func wait<Result>(seconds: Double, _ body: () throws -> Result?) rethrows -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let deadline = Self.now() + seconds
    while true {
      if let result = try body() { return result }
      let left = deadline - Self.now()
      guard left > 0 else { return nil }
      sleep(seconds: left)
    }
  }

  /// Lets go of the mutex until the state changes or `seconds` have passed.
  private func sleep(seconds: Double) {
    #if canImport(Darwin)
    var time = Self.time(seconds)
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    var time = Self.time(Self.now() + seconds)
    pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func time(_ seconds: Double) -> timespec {
    timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
  }
}
