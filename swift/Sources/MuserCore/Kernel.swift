import MuserABI

/// An entry point of the shaders. Every device finds its pipelines by this value; the entry's name exists once.
public enum Kernel: Hashable, Sendable {
  /// Gathers and dequantises rows of a table of this type.
  case embedding(TensorType)
  /// Divides rows by their root mean square.
  case rmsNorm

  /// The shader text that holds the entry, for `ShaderSource`: one an operation.
  public var source: String {
    switch self {
    case .embedding: "embedding.metal"
    case .rmsNorm: "norm.metal"
    }
  }

  /// The entry's name in the shader text.
  public var name: String {
    switch self {
    case .embedding(let type): type.kernel ?? ""
    case .rmsNorm: "muser_rms_norm"
    }
  }
}

/// How much work a dispatch is: a number of rows, and for devices that run threads, how many share a row.
public struct Grid: Equatable, Sendable {
  public let rows: UInt64
  public let threadsPerRow: UInt64
  /// Whether the threads of a row work together, as one threadgroup; else each works alone.
  public let isGroupPerRow: Bool

  public init(rows: UInt64, threadsPerRow: UInt64, isGroupPerRow: Bool = false) {
    self.rows = rows
    self.threadsPerRow = threadsPerRow
    self.isGroupPerRow = isGroupPerRow
  }
}
