import Foundation
import Testing

@testable import MuserCore

extension MalformedFileTests {
  private static let folder = ProcessInfo.processInfo.environment["MUSER_MALFORMED"]

  /// Writes the table for tests of what is above this library: a file each, and `cases.json` with their codes.
  @Test(.enabled(if: folder != nil, "MUSER_MALFORMED names no folder"))
  func theTableIsWritten() throws {
    let folder = URL(filePath: try #require(Self.folder))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var cases = JSON()
    cases.array { json in
      for (number, file) in FileCase.all.enumerated() {
        json.object { json in
          json.value("file", "\(number).gguf")
          json.value("title", file.title)
          json.value("code", file.code?.rawValue ?? "")
        }
      }
    }
    for (number, file) in FileCase.all.enumerated() {
      try Data(file.bytes).write(to: folder.appending(path: "\(number).gguf"))
    }
    try Data(cases.text).write(to: folder.appending(path: "cases.json"))
  }
}
