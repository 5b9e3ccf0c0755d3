import MuserCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Compiled kernels in a folder that the user has named, for other processes and later ones. An entry repeats its whole
/// key, so nothing is found that was made from another text, for another GPU or under another driver; one that is
/// damaged counts as none.
struct KernelCache {
  let folder: String

  /// The kernel that was kept under this key.
  func find(_ key: Key) -> CompiledKernel? {
    guard let bytes = Self.load(path(of: key)) else { return nil }
    let checksum = Self.checksum(bytes.dropFirst(Self.checksumBytes))
    guard bytes.starts(with: checksum) else { return nil }
    let parts = bytes.dropFirst(checksum.count).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].elementsEqual(key.text.utf8) else { return nil }
    return CompiledKernel(code: Array(parts[2]), entry: String(decoding: parts[1], as: UTF8.self))
  }

  /// Keeps a kernel under this key. Whoever reads meanwhile finds the whole of it or nothing.
  func keep(_ kernel: CompiledKernel, for key: Key) throws {
    let content = Array(key.text.utf8) + [0] + Array(kernel.entry.utf8) + [0] + kernel.code
    let path = path(of: key)
    // Other processes, also of other machines, may be writing the same entry.
    let temporary = "\(path).\(UInt64.random(in: .min ... .max))"
    guard Self.store(Self.checksum(content[...]) + content, to: temporary), rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw MuserError(
        .io, "\"\(folder)\" cannot keep compiled kernels: the system says \"\(reason)\"; name another folder as the cache")
    }
  }

  /// What a kernel was compiled from and for.
  struct Key {
    let name: String
    let text: String

    init(_ name: String, from source: String, for target: String) {
      self.name = name
      text = "kernel \(name)\n\(target)\n\(source)"
    }
  }

  private func path(of key: Key) -> String {
    let number = Self.checksum(Array(key.text.utf8)[...]).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return "\(folder)/\(key.name)-\(number.joined()).kernel"
  }

  private static let checksumBytes = 8

  /// FNV-1a in 64 bits: finds damage; it is no protection from those who may write to the folder.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (0..<checksumBytes).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
  }

  private static let longestEntry: UInt64 = 64 << 20

  /// A link is not followed: what lies outside the folder is not ours to read.
  private static func load(_ path: String) -> [UInt8]? {
    guard let file = try? OpenFile(path: path, followsLink: false), file.size <= longestEntry else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(file.size))
    return (try? bytes.withUnsafeMutableBytes { try file.read(into: $0, from: 0) }).map { bytes }
  }

  private static func store(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, bytes.count - done) }
      if count < 0 { break }
      done += count
    }
    return close(descriptor) == 0 && done == bytes.count
  }
}
