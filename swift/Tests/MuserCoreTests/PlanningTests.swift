import Testing

@testable import MuserCore

struct PlanningTests {
  @Test func aTableThatFitsIsOneViewBetweenPageBorders() throws {
    let views = try TableView.plan(start: 4096 + 96, rowBytes: 34, rows: 100, page: 4096, limit: 1 << 20)
    #expect(views == [TableView(firstRow: 0, rows: 100, pages: 4096..<8192, offset: 96)])
  }

  @Test(arguments: [(4096, 1 << 14), (16384, 1 << 15), (4096, 3 * 4096 + 17), (1, 1000)] as [(UInt64, UInt64)])
  func viewsCoverEveryRowOnceWithinTheLimit(page: UInt64, limit: UInt64) throws {
    for (start, rowBytes) in [(0, 1000), (page, 34), (7 * page + 32, 612), (3, 999)] as [(UInt64, UInt64)] {
      let views = try TableView.plan(start: start, rowBytes: rowBytes, rows: 1001, page: page, limit: limit)
      var next: UInt64 = 0
      for view in views {
        #expect(view.firstRow == next)
        let begin = start + view.firstRow * rowBytes
        #expect(view.pages.lowerBound + view.offset == begin && view.offset < page)
        #expect(view.pages.lowerBound % page == 0 && view.pages.upperBound % page == 0)
        #expect(view.pages.upperBound >= begin + view.rows * rowBytes)
        #expect(UInt64(view.pages.count) <= limit)
        next += view.rows
      }
      #expect(next == 1001)
    }
  }

  @Test func viewsOfRowsThatEndWithinAPageOverlap() throws {
    let views = try TableView.plan(start: 0, rowBytes: 3000, rows: 4, page: 4096, limit: 8192)
    #expect(
      views == [
        TableView(firstRow: 0, rows: 2, pages: 0..<8192, offset: 0),
        TableView(firstRow: 2, rows: 2, pages: 4096..<12288, offset: 1904),
      ])
  }

  @Test func aRowLongerThanTheLongestBufferIsAnErrorThatSaysSo() {
    let error = #expect(throws: MuserError.self) {
      try TableView.plan(start: 0, rowBytes: 9000, rows: 4, page: 4096, limit: 8192)
    }
    #expect(error?.code == .memory)
    #expect(error?.message == "a row has 9000 bytes, and the device's longest buffer 8192; use the device cpu")
  }

  @Test func aTableBeyondFourGibibytesAndAnUnlimitedDeviceNeedNoSplit() throws {
    let views = try TableView.plan(start: 1 << 47, rowBytes: 26624, rows: 202_048, page: 16384, limit: .max)
    #expect(views.count == 1)
    #expect(views[0].pages.count == 202_048 * 26624)
  }

  @Test func launchesCoverEveryRowOnceWithinTheLimit() {
    for (rows, threads, limit) in [(10, 3, 7), (10, 3, 30), (1, 100, 7), (65_537, 832, 1 << 20)]
      as [(UInt64, UInt64, UInt64)]
    {
      let launches = Grid(rows: rows, threadsPerRow: threads).launches(limit: limit)
      #expect(launches.first?.lowerBound == 0 && launches.last?.upperBound == rows)
      for (launch, next) in zip(launches, launches.dropFirst()) { #expect(launch.upperBound == next.lowerBound) }
      #expect(launches.allSatisfy { $0.count == 1 || UInt64($0.count) * threads <= limit })
    }
    #expect(Grid(rows: 0, threadsPerRow: 8).launches().isEmpty)
  }

  @Test func aMillionRowsOfMuseGlimmersWidthAreOneLaunchAndFourMillionAreNot() {
    #expect(Grid(rows: 1_000_000, threadsPerRow: 832).launches().count == 1)
    #expect(Grid(rows: 4_000_000, threadsPerRow: 832).launches().count == 2)
    #expect(Grid(rows: .max, threadsPerRow: .max).rowsPerLaunch(limit: Grid.mostThreads) == 1)
  }

  @Test func aGroupIsAPieceOfARowOrSeveralRows() throws {
    for (rows, threads, width, height) in [
      (9, 832, 256, 1), (9, 100, 100, 2), (1, 100, 100, 1), (9, 1, 1, 9), (1000, 1, 1, 256),
    ]
      as [(UInt64, UInt64, UInt64, UInt64)]
    {
      #expect(try Grid(rows: rows, threadsPerRow: threads).group(most: 256) == (width, height))
    }
  }

  @Test func threadsThatWorkTogetherAreAGroupOrAnError() throws {
    let grid = Grid(rows: 9, threadsPerRow: 256, isGroupPerRow: true)
    #expect(try grid.group(most: 256) == (256, 1))
    let error = #expect(throws: MuserError.self) { try grid.group(most: 255) }
    #expect(error?.code == .device)
  }
}
