import Foundation
import Testing

@testable import MuserCore

/// What is not a file, and places outside of one.
struct FileTests {
  private func refusal(_ path: String, start: UInt64 = 0) throws -> (outcome: Outcome, message: String) {
    try attempt { _ = try GGUFFile(path: path, start: start) }
  }

  @Test func aPathWithoutAFileIsNotFound() throws {
    #expect(try refusal("/tmp/there is no such file.gguf").outcome == .refused(.notFound))
    #expect(try refusal("").outcome == .refused(.notFound))
    #expect(try refusal("/dev/null/model.gguf").outcome == .refused(.notFound))
  }

  @Test func aFolderADeviceAndAPipeAreNoFiles() throws {
    #expect(try refusal("/tmp").message.contains("it is a directory"))
    #expect(try refusal("/dev/null").outcome == .refused(.notAFile))
    let pipe = FileManager.default.temporaryDirectory.appending(path: "muser-pipe-\(UUID().uuidString)").path
    try #require(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(try refusal(pipe).outcome == .refused(.notAFile))
  }

  @Test func aLinkLeadsToItsFile() throws {
    let file = try TemporaryFile(GGUFBuilder.sound.bytes)
    let link = file.path + ".link"
    try #require(symlink(file.path, link) == 0)
    #expect(try GGUFFile(path: link).tensors().count == 2)
    try #require(symlink(link + ".2", link + ".2") == 0)
    #expect(try refusal(link + ".2").outcome == .refused(.io))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func aFileThatMayNotBeReadSaysSo() throws {
    let file = try TemporaryFile(GGUFBuilder.sound.bytes)
    try #require(chmod(file.path, 0) == 0)
    #expect(try refusal(file.path).outcome == .refused(.permission))
  }

  @Test func whatTheSystemDeniesIsTold() {
    #expect(OpenFile.failure(EACCES).code == .permission)
    #expect(OpenFile.failure(EPERM).code == .permission)
    #expect(OpenFile.failure(ENOTDIR).code == .notFound)
    #expect(OpenFile.failure(EMFILE).code == .io)
    #expect(OpenFile.failure(EMFILE).message.contains("errno \(EMFILE)"))
  }

  @Test func anOffsetPastTheEndIsRefusedAndOneAtTheEndIsAnEmptyFile() throws {
    let file = try TemporaryFile(GGUFBuilder.sound.bytes)
    let size = UInt64(GGUFBuilder.sound.bytes.count)
    #expect(try refusal(file.path, start: size + 1).outcome == .refused(.argument))
    #expect(try refusal(file.path, start: .max).outcome == .refused(.argument))
    #expect(try refusal(file.path, start: size).outcome == .refused(.badMagic))
    #expect(try refusal(file.path, start: size - 1).outcome == .refused(.badMagic))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "needs a file system without a size limit"))
  func aFileOfMoreThan2To53BytesIsRefused() throws {
    let path = "/dev/shm/muser-\(UUID().uuidString)"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { unlink(path) }
    for (size, expected) in [((1 << 53), Outcome.refused(.badMagic)), ((1 << 53) + 1, .refused(.limit))] {
      try #require(truncate(path, size) == 0)
      #expect(try refusal(path).outcome == expected)
    }
  }

  @Test(arguments: [true, false])
  func headerBytesAreReadOnlyInsideTheHeader(_ map: Bool) throws {
    let bytes = GGUFBuilder.sound.bytes
    let stored = try TemporaryFile(bytes)
    let file = try GGUFFile(path: stored.path, map: map)
    let length = file.header.bytes
    func read(_ count: Int, at offset: UInt64) throws -> (Outcome, [UInt8]) {
      var target = Array(repeating: UInt8(0), count: count)
      let answer = try attempt { try target.withUnsafeMutableBytes { try file.readHeader(into: $0, from: offset) } }
      return (answer.outcome, target)
    }
    #expect(try read(length, at: 0) == (.read, Array(bytes.prefix(length))))
    #expect(try read(4, at: UInt64(length - 4)) == (.read, Array(bytes[length - 4..<length])))
    #expect(try read(0, at: UInt64(length)).0 == .read)
    for (count, offset) in [(1, UInt64(length)), (length + 1, 0), (5, UInt64(length - 4)), (0, UInt64(length + 1)), (1, .max)] {
      #expect(try read(count, at: offset).0 == .refused(.argument), "\(count) bytes at \(offset)")
    }
  }
}
