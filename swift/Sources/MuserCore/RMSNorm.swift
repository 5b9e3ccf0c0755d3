import MuserABI

/// Weightless root-mean-square normalisation as an operation: `y = x / sqrt(mean(x²) + epsilon)`, row by row. The entry
/// norm of a model's residual stream.
struct RMSNorm<D: Device>: Operation {
  let pipeline: D.Pipeline
  /// f32 `[rows, columns]`.
  let input: D.Buffer
  /// f32 `[rows, columns]`; may be the input.
  let output: D.Buffer
  let columns: UInt32
  let epsilon: Float

  func encode(into commands: inout D.Commands, _ run: Run) throws {
    var arguments = MuserRMSNormArguments(columns: columns, epsilon: epsilon)
    for launch in grid(rows: UInt64(run.rows)).launches() {
      let offset = launch.lowerBound * UInt64(columns) * 4
      try commands.bind(input, offset: offset, at: 0)
      try commands.bind(output, offset: offset, at: 1)
      try withUnsafeBytes(of: &arguments) {
        try commands.dispatch(pipeline, arguments: $0, grid: grid(rows: UInt64(launch.count)))
      }
    }
  }

  private func grid(rows: UInt64) -> Grid {
    Grid(rows: rows, threadsPerRow: UInt64(MUSER_NORM_THREADS), isGroupPerRow: true)
  }

  func traffic(rows: Int) -> Traffic {
    let bytes = UInt64(rows) * UInt64(columns) * 4
    // The row is read twice: once for its mean square, once to be divided.
    return Traffic(dispatches: 1, bytesRead: 2 * bytes, bytesWritten: bytes)
  }
}
