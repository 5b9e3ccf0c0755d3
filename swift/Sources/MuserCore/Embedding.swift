import MuserABI

/// The lookup as an operation: `output[i] = table[ids[i]]`, the only step of a model that writes the residual stream
/// instead of adding to it.
struct Embedding<D: Device>: Operation {
  let table: PlacedTable<D>
  /// u32 `[rows]`.
  let ids: D.Buffer
  /// f32 or f16 `[rows, columns]`.
  let output: D.Buffer
  /// Where the kernel counts ids past the last row, see `Fault`.
  let fault: D.Buffer
  /// Number, among all the caller's ids, of the first one in `ids`.
  var first = 0
  var launchThreads = Grid.mostThreads

  /// In as many launches as it takes for each to have at most `launchThreads` threads.
  @inline(__always) func encode(into commands: inout D.Commands, _ run: Run) throws {
    let most = Int(
      Grid(rows: UInt64(run.rows), threadsPerRow: table.shape.threadsPerRow).rowsPerLaunch(limit: launchThreads))
    for start in stride(from: 0, to: run.rows, by: most) {
      try encode(into: &commands, from: start, Run(rows: min(most, run.rows - start), id: run.id))
    }
  }

  @inline(__always) private func encode(into commands: inout D.Commands, from start: Int, _ run: Run) throws {
    let shape = table.shape
    let outputStart = UInt64(start) * shape.columns * UInt64(table.options.valueBytes)
    let options = table.options.flags | (run.id == nil ? 0 : MUSER_ONE_ID)
    // By index: a loop over the array would count references to it and to each view.
    for index in table.views.indices {
      let view = table.views[index]
      var arguments = MuserEmbeddingArguments(
        row_bytes: shape.rowBytes, first: UInt32(first + start), columns: UInt32(shape.columns),
        rows: UInt32(shape.rows),
        view_first: UInt32(view.firstRow), view_rows: UInt32(view.rows), scale: table.options.scale,
        options: options, id: run.id ?? 0, count: UInt32(run.rows))
      try commands.bind(view.slice.buffer, offset: view.slice.offset, at: 0)
      try commands.bind(ids, offset: UInt64(start) * 4, at: 1)
      try commands.bind(output, offset: outputStart, at: 2)
      try commands.bind(fault, offset: 0, at: 3)
      try withUnsafeBytes(of: &arguments) {
        try commands.dispatch(
          table.pipeline, arguments: $0, grid: Grid(rows: UInt64(run.rows), threadsPerRow: shape.threadsPerRow))
      }
    }
  }

  func traffic(rows: Int) -> Traffic {
    Traffic(
      dispatches: UInt64(table.views.count),
      bytesRead: UInt64(rows) * (table.shape.rowBytes + 4),
      bytesWritten: UInt64(rows) * table.shape.columns * UInt64(table.options.valueBytes))
  }
}

/// A table where a device has it, and the kernel that gathers its rows. A class, so that a lookup of one row retains
/// one object and not everything in it.
final class PlacedTable<D: Device>: Sendable {
  let shape: TableShape
  let options: RowOptions
  let pipeline: D.Pipeline
  let views: [Placement<D.Buffer>.View]

  init(_ shape: TableShape, _ options: RowOptions, _ pipeline: D.Pipeline, _ views: [Placement<D.Buffer>.View]) {
    self.shape = shape
    self.options = options
    self.pipeline = pipeline
    self.views = views
  }
}

/// What a kernel reports of ids past the last row: it reads the last row instead and counts them here.
struct Fault {
  var count: UInt32 = 0
  var firstPosition: UInt32 = .max

  func check() throws {
    guard count > 0 else { return }
    throw MuserError(
      .id,
      "Cannot look up \(count) of the ids: they are past the last row, the first one at position \(firstPosition); "
        + "write only ids of rows to the device")
  }
}

/// What happens to every value of a row on its way out.
public struct RowOptions: Sendable, Equatable {
  /// Multiplied into every value in f32, rounding once; 1 leaves the bits as they are.
  public let scale: Float
  /// f16 instead of f32, rounded to nearest, ties to even.
  public let half: Bool

  public init(scale: Float = 1, half: Bool = false) {
    self.scale = scale
    self.half = half
  }

  public var valueBytes: Int { half ? 2 : 4 }
  var flags: UInt32 { (scale == 1 ? 0 : MUSER_SCALED) | (half ? MUSER_HALF : 0) }
}
