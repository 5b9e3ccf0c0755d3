import MuserCPU

/// A tensor seen as rows: proven to be two-dimensional, of a type with a kernel, and small enough for its ids.
public struct TableShape: Sendable {
  public let name: String
  public let type: TensorType
  public let columns: UInt64
  public let rows: UInt64
  public let rowBytes: UInt64
  /// From the GGUF's start.
  public let offset: UInt64

  public var bytes: UInt64 { rows * rowBytes }
  /// Threads that share a row on a GPU.
  public var threadsPerRow: UInt64 { UInt64(muser_embedding_threads(type.id, UInt32(columns))) }

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
  }
}
