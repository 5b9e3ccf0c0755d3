/// The rows that a step runs over.
struct Run {
  let rows: Int
  /// The id of the only row, where the host has it: it then travels with the kernel's arguments, not as a copy.
  let id: UInt32?

  init(rows: Int, id: UInt32? = nil) {
    self.rows = rows
    self.id = rows == 1 ? id : nil
  }
}

/// One step of a model's graph: a value that knows its buffers and records itself into a command buffer. Written once
/// for all devices; rows are recorded anew for each run, everything else is fixed when the operation is made.
protocol Operation<D>: Sendable {
  associatedtype D: Device

  func encode(into commands: inout D.Commands, _ run: Run) throws
  /// What a run over this many rows has to read and write, as the formulas of the operation say.
  func traffic(rows: Int) -> Traffic
}

/// Bytes that kernels read and write, and the dispatches that do it.
public struct Traffic: Sendable, Equatable {
  public var dispatches: UInt64 = 0
  public var bytesRead: UInt64 = 0
  public var bytesWritten: UInt64 = 0

  static func += (total: inout Traffic, more: Traffic) {
    total.dispatches += more.dispatches
    total.bytesRead += more.bytesRead
    total.bytesWritten += more.bytesWritten
  }
}
