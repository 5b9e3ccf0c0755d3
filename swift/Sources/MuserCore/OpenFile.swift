#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A regular file, open for reading, and what it was when it was opened.
public final class OpenFile: Sendable {
  let path: String
  let descriptor: Int32
  let identity: Identity

  /// What changes when a file is rewritten, cut or replaced.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let seconds: Int
    let nanoseconds: Int

    init(_ facts: stat) {
      device = UInt64(truncatingIfNeeded: facts.st_dev)
      inode = UInt64(truncatingIfNeeded: facts.st_ino)
      size = UInt64(max(0, facts.st_size))
      #if canImport(Darwin)
      let time = facts.st_mtimespec
      #else
      let time = facts.st_mtim
      #endif
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
    }
  }

  /// Throws where `path` is a link and `followsLink` is false.
  public init(path: String, followsLink: Bool = true) throws {
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = Self.retrying { open(path, flags) }
    guard descriptor >= 0 else { throw Self.failure(errno) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      let code = errno
      Self.close(descriptor)
      throw Self.failure(code)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      Self.close(descriptor)
      let kind = facts.st_mode & S_IFMT == S_IFDIR ? "it is a directory" : "it is no regular file"
      throw MuserError(.notAFile, "\(kind); point to a .gguf file")
    }
    self.path = path
    self.descriptor = descriptor
    identity = Identity(facts)
  }

  deinit { Self.close(descriptor) }

  public var size: UInt64 { identity.size }

  /// Reads exactly `target.count` bytes from `offset`.
  public func read(into target: UnsafeMutableRawBufferPointer, from offset: UInt64) throws {
    var done = 0
    while done < target.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
      let count = Self.retrying { pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) }
      guard count >= 0 else { throw Self.failure(errno) }
      guard count > 0 else {
        throw MuserError(
          .changed,
          "the file ends before byte \(offset + UInt64(done) + 1) and had \(size) bytes; open the model again")
      }
      done += count
    }
  }

  /// Fails where the open file was rewritten or cut.
  func checkContents() throws { try check("the file", Self.status { fstat(descriptor, &$0) }) }

  /// Fails where the open file was rewritten or cut, or where another one has its name now.
  func check() throws {
    try checkContents()
    try check("the file of that name", Self.status { stat(path, &$0) })
  }

  private func check(_ what: String, _ now: Identity?) throws {
    guard let now else { throw MuserError(.changed, "\(what) is gone; open the model again") }
    if now == identity { return }
    let change =
      now.inode != identity.inode || now.device != identity.device
      ? "was replaced" : now.size != size ? "has \(now.size) bytes, not \(size)" : "was rewritten"
    throw MuserError(.changed, "\(what) \(change) since it was opened; open the model again")
  }

  private static func status(_ read: (inout stat) -> Int32) -> Identity? {
    var facts = stat()
    return read(&facts) == 0 ? Identity(facts) : nil
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
  }

  /// Repeats a call that a signal interrupted.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  static func failure(_ code: Int32) -> MuserError {
    switch code {
    case ENOENT, ENOTDIR: MuserError(.notFound, "there is no such file; check the path")
    case EACCES, EPERM: MuserError(.permission, "the system does not let this user read it; change its permissions")
    default: MuserError(.io, "the system says \"\(String(cString: strerror(code)))\" (errno \(code))")
    }
  }
}
