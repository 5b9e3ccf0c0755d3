import MuserABI

/// The lookup as an operation: `output[i] = table[ids[i]]`, the only step of a model that writes the residual stream
/// instead of adding to it. Written once for all devices.
struct Embedding<D: Device>: Sendable {
  let pipeline: D.Pipeline
  let shape: TableShape
  let options: RowOptions

  /// Records the lookup of `count` ids, the first of which is number `first` of the caller's.
  func encode(
    into commands: inout D.Commands, views: [Placement<D.Buffer>.View], _ lookup: Lookup<D.Buffer>, first: Int, count: Int
  ) throws {
    for view in views {
      var arguments = MuserEmbeddingArguments(
        row_bytes: shape.rowBytes, first: UInt64(first), columns: UInt32(shape.columns), rows: UInt32(shape.rows),
        view_first: UInt32(view.firstRow), view_rows: UInt32(view.rows), scale: options.scale,
        options: options.flags)
      try withUnsafeBytes(of: &arguments) {
        try commands.dispatch(
          pipeline, arguments: $0, buffers: [view.slice, .init(lookup.ids), .init(lookup.output), .init(lookup.fault)],
          grid: Grid(rows: UInt64(count), threadsPerRow: shape.threadsPerRow))
      }
    }
  }
}

/// The buffers of one lookup: `ids` u32 `[count]`, `output` `[count, columns]`, and the `fault` word.
struct Lookup<Buffer> {
  let ids: Buffer
  let output: Buffer
  let fault: Buffer
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
