/// What a GGUF header says, proven against the length of the file. Values of the metadata stay where they are:
/// a vocabulary of 200,000 texts costs nothing until somebody reads it.
public struct GGUFHeader: Sendable {
  public let version: UInt32
  public let alignment: UInt64
  public let metadata: [Metadata]
  /// Where the record of each tensor begins. A record is read again when it is asked for, so that a million of them
  /// cost eight bytes each.
  let tensorRecords: [Int]
  /// Length of the header: everything before the padding in front of the tensor data.
  public let bytes: Int
  /// Where tensor data begins, from the GGUF's start.
  public let dataOffset: UInt64

  /// A key of the metadata and the place of its value.
  public struct Metadata: Sendable {
    let key: Range<Int>
    public let type: MetadataType
    /// The type of an array's elements.
    public let element: MetadataType?
    /// Elements of an array, 1 for anything else.
    public let count: UInt64
    /// The value's bytes, an array's without its own type and count.
    public let value: Range<Int>
  }

  /// The numbers that the format gives the types of values.
  public enum MetadataType: UInt32, Sendable {
    case uint8, int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64, float64

    public var name: String { "\(self)" }

    /// Bytes of a value, `nil` where that depends on the value.
    var size: UInt64? {
      switch self {
      case .uint8, .int8, .bool: 1
      case .uint16, .int16: 2
      case .uint32, .int32, .float32: 4
      case .uint64, .int64, .float64: 8
      case .string, .array: nil
      }
    }
  }
}

/// A tensor as the header describes it.
public struct GGUFTensor: Sendable {
  public let name: Range<Int>
  /// Lengths of the dimensions, the one whose values are contiguous first.
  public let dimensions: Dimensions
  public let typeID: UInt32
  /// Where its data begins, counted from the start of all tensor data.
  public let offset: UInt64
  /// Bytes of its data, `nil` for a type that this library does not know.
  public let bytes: UInt64?

  public var type: TensorType? { TensorType(id: typeID) }
  public var typeName: String { type?.name ?? "type \(typeID)" }

  /// At most four lengths. Not an array, which would be memory of its own for each of a million records.
  public struct Dimensions: RandomAccessCollection, Sendable, CustomStringConvertible {
    private var lengths = SIMD4<UInt64>()
    public private(set) var endIndex = 0

    public var startIndex: Int { 0 }
    public subscript(index: Int) -> UInt64 { lengths[index] }
    public var description: String { "\(Array(self))" }

    mutating func append(_ length: UInt64) {
      lengths[endIndex] = length
      endIndex += 1
    }
  }
}

extension RandomAccessCollection where Element == UInt8 {
  /// The bytes as text; what is not UTF-8 becomes U+FFFD.
  var asText: String { String(decoding: self, as: UTF8.self) }
}

extension String {
  /// The text for a message: cut, and without characters that end a text or move a terminal's cursor, because whoever
  /// wrote the file chose them.
  func shown(longest: Int = 200) -> String {
    var shown = UnicodeScalarView()
    for scalar in unicodeScalars.prefix(longest) {
      let isHidden = [.control, .format].contains(scalar.properties.generalCategory)
      shown.append(isHidden ? "\u{FFFD}" : scalar)
    }
    return String(shown) + (unicodeScalars.dropFirst(longest).isEmpty ? "" : "…")
  }
}

extension UnsafeRawBufferPointer {
  /// The text of a range that a header gave, for a message.
  func text(_ range: Range<Int>) -> String { self[range].prefix(1000).asText.shown() }
}
