import Foundation

@testable import MuserCore

/// What became of an attempt to read a header.
enum Outcome: Equatable, CustomStringConvertible {
  case read
  case needsMore
  case refused(MuserError.Code)

  var description: String {
    switch self {
    case .read: "read"
    case .needsMore: "needs more bytes"
    case .refused(let code): "refused as \(code.rawValue)"
    }
  }
}

/// Runs `body`: its outcome, and the message where it was refused.
func attempt(_ body: () throws -> Void) throws -> (outcome: Outcome, message: String) {
  do {
    try body()
    return (.read, "")
  } catch let error as MuserError {
    return (.refused(error.code), error.message)
  } catch is GGUFCursor.NeedsMoreBytes {
    return (.needsMore, "")
  }
}

/// Reads the header at the beginning of `bytes`, in a file of `total` bytes.
func parse(_ bytes: [UInt8], total: UInt64? = nil) throws -> GGUFHeader {
  // A copy of exactly this length from the heap, so that the address sanitizer sees a read past its end.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
  defer { memory.deallocate() }
  memory.copyBytes(from: bytes)
  return try GGUFHeader(parsing: UnsafeRawBufferPointer(memory), total: total ?? UInt64(bytes.count))
}

/// The outcome of reading the header in `bytes`, the beginning of a file of `total` bytes.
func outcome(_ bytes: [UInt8], total: UInt64? = nil) throws -> Outcome {
  try attempt { _ = try parse(bytes, total: total) }.outcome
}

/// A file that is gone when its last user is.
final class TemporaryFile: Sendable {
  let path: String

  init(_ bytes: [UInt8], name: String = "model.gguf") throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "muser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    path = file.path
  }

  deinit { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
}
