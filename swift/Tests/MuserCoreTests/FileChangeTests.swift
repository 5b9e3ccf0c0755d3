import Foundation
import Testing

@testable import MuserCore

/// Files that change while they are open. A mapped file that is cut ends the process, so that one is tested elsewhere,
/// in a process of its own.
struct FileChangeTests {
  private let file = GGUFBuilder.of(.numbered("table", columns: 3, rows: 300))

  private func rewrite(_ opened: TestModel, at offset: UInt64, _ bytes: [UInt8]) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: opened.file.path))
    defer { try? handle.close() }
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(bytes))
    try handle.synchronize()
    try later(opened)
  }

  /// Times of files come from a clock that ticks every few milliseconds.
  private func later(_ opened: TestModel) throws {
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: opened.file.path)
  }

  private func expectChanged(_ words: String, _ body: () throws -> Void) throws {
    let answer = try attempt(body)
    #expect(answer.outcome == .refused(.changed))
    #expect(answer.message.contains(words) && answer.message.contains("open the model again"), "\(answer.message)")
  }

  @Test(arguments: [true, false])
  func aFileThatStaysItselfPassesTheCheck(_ map: Bool) throws {
    let opened = try TestModel(file, map: map)
    try opened.model.check()
    try opened.model.file.checkContents()
  }

  @Test(arguments: [true, false])
  func aFileRewrittenInPlaceIsFound(_ map: Bool) throws {
    let opened = try TestModel(file, map: map)
    let table = try opened.model.table(named: "table", RowOptions())
    try rewrite(opened, at: UInt64(table.shape.offset), [0, 0, 0, 0])
    try expectChanged("was rewritten") { try opened.model.check() }
    try expectChanged("was rewritten") { _ = try table.values(Array(0..<256)) }
    #expect(try table.values([299]) == [299_000, 299_001, 299_002])
  }

  @Test(arguments: [true, false])
  func aFileReplacedByRenameIsFoundAndItsOldRowsStay(_ map: Bool) throws {
    let opened = try TestModel(file, map: map)
    let other = try TemporaryFile(GGUFBuilder.sound.bytes)
    #expect(rename(other.path, opened.file.path) == 0)
    try expectChanged("was replaced") { try opened.model.check() }
    try opened.model.file.checkContents()
    #expect(try opened.rows([299], of: "table") == [299_000, 299_001, 299_002])
  }

  @Test(arguments: [true, false])
  func aFileThatIsDeletedIsFoundAndItsRowsStay(_ map: Bool) throws {
    let opened = try TestModel(file, map: map)
    try FileManager.default.removeItem(atPath: opened.file.path)
    try expectChanged("is gone") { try opened.model.check() }
    #expect(try opened.rows([299], of: "table") == [299_000, 299_001, 299_002])
  }

  @Test func aFileThatIsCutIsFoundWhenItIsRead() throws {
    let opened = try TestModel(file, map: false)
    #expect(truncate(opened.file.path, 2000) == 0)
    try expectChanged("has 2000 bytes") { try opened.model.check() }
    try expectChanged("ends before byte 3") { _ = try opened.rows([299], of: "table") }
    #expect(try opened.rows([0], of: "table") == [0, 1, 2])
    #expect(truncate(opened.file.path, 0) == 0)
    try expectChanged("ends before byte") { _ = try opened.rows([0], of: "table") }
  }

  @Test func aMappedHeaderThatIsRewrittenCannotMoveATableOutOfTheFile() throws {
    let opened = try TestModel(file)
    // Header, length of the name, name, dimensions, type; then the offset.
    let record: UInt64 = 24 + 8 + 5 + 4 + 16 + 4
    try rewrite(opened, at: record, littleEndian(1_099_511_627_776 as UInt64))
    try expectChanged("was rewritten") { _ = try opened.model.table(named: "table", RowOptions()) }
    try expectChanged("was rewritten") { _ = try opened.model.describe() }
    try rewrite(opened, at: record, littleEndian(18_446_744_073_709_551_584 as UInt64))
    try expectChanged("was rewritten") { _ = try opened.model.table(named: "table", RowOptions()) }
    try rewrite(opened, at: 24, littleEndian(UInt64.max))
    try expectChanged("was rewritten") { _ = try opened.model.table(named: "table", RowOptions()) }
  }

  @Test func aHeaderThatWasReadIsNotTouchedByARewrite() throws {
    let opened = try TestModel(file, map: false)
    try rewrite(opened, at: 0, Array(repeating: 0, count: 60))
    #expect(try opened.rows([299], of: "table") == [299_000, 299_001, 299_002])
  }
}
