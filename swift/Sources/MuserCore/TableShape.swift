import MuserCPU

/// A tensor seen as rows: proven to be two-dimensional, of a type with a kernel, and small enough for its ids. A class,
/// because a lookup of one row would feel its copies.
public final class TableShape: Sendable {
  public let name: String
  public let type: TensorType
  public let columns: UInt64
  public let rows: UInt64
  public let rowBytes: UInt64
  /// From the GGUF's start.
  public let offset: UInt64

  public var bytes: UInt64 { rows * rowBytes }
  /// Threads that share a row on a GPU.
  public let threadsPerRow: UInt64

  init(_ tensor: GGUFTensor, named name: String, dataOffset: UInt64) throws {
    guard let type = tensor.type, type.kernel != nil else {
      let reason = tensor.type?.reason.map { ", and \($0)" } ?? ""
      throw MuserError(
        .type,
        "tensor \"\(name)\" has \(tensor.type.map { "type \($0.name)" } ?? tensor.typeName)\(reason); rows can be "
          + "gathered from \(TensorType.supported)")
    }
    let dimensions = tensor.dimensions
    guard dimensions.count >= 2, dimensions.dropFirst(2).allSatisfy({ $0 == 1 }) else {
      throw MuserError(.shape, "tensor \"\(name)\" has the shape \(dimensions), and a table has two dimensions")
    }
    guard (1...UInt64(UInt32.max)).contains(dimensions[0]), (1...UInt64(UInt32.max)).contains(dimensions[1]) else {
      throw MuserError(
        .shape, "tensor \"\(name)\" has the shape \(dimensions), and a table has 1 to \(UInt32.max) columns and rows")
    }
    self.name = name
    self.type = type
    columns = dimensions[0]
    rows = dimensions[1]
    rowBytes = columns / type.blockValues * type.blockBytes
    offset = dataOffset + tensor.offset
    threadsPerRow = UInt64(muser_embedding_pieces(type.id, UInt32(columns)))
  }
}

extension TableShape {
  /// Copies a caller's ids and proves that each one of the copy is a row. Inlined, so that one row counts no reference.
  @inline(__always) func stage(
    _ ids: UnsafeBufferPointer<UInt32>, in staged: UnsafeMutablePointer<UInt32>
  ) throws {
    var largest: UInt32 = 0
    for index in 0..<ids.count {
      let id = ids[index]
      staged[index] = id
      largest = max(largest, id)
    }
    if largest >= rows { throw pastLastRow(UnsafeBufferPointer(start: staged, count: ids.count)) }
  }

  /// The failure of ids of which one at least is no row.
  private func pastLastRow(_ ids: UnsafeBufferPointer<UInt32>) -> MuserError {
    let position = ids.firstIndex { $0 >= rows } ?? 0
    return MuserError(
      .id,
      "Cannot look up id \(ids[position]) at position \(position): table \"\(name)\" has \(rows) rows, "
        + "use ids from 0 to \(rows - 1)")
  }
}
