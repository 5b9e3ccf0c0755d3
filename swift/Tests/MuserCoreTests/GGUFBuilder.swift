@testable import MuserCore

/// The bytes of a GGUF file, field by field: a sound one, and where a field is given by hand, a broken one.
struct GGUFBuilder {
  struct Tensor {
    var name: [UInt8]
    var type: UInt32 = 0
    var dimensions: [UInt64] = [4, 2]
    var data: [UInt8] = []
    /// What the record states; `nil`: where the builder puts the data.
    var offset: UInt64?
    var dimensionCount: UInt32?
    var nameLength: UInt64?
  }

  struct Pair {
    var key: [UInt8]
    var value: Value
    var keyLength: UInt64?
  }

  /// A value: its type's number in the file, and its bytes.
  struct Value {
    var type: UInt32
    var bytes: [UInt8]
  }

  var magic = Array("GGUF".utf8)
  var version: UInt32 = 3
  var bigEndian = false
  var tensorCount: UInt64?
  var metadataCount: UInt64?
  var pairs: [Pair] = []
  var tensors: [Tensor] = []
  /// What the builder lays data out with, whatever the metadata states.
  var alignment = 32
  var hasLastPadding = true

  /// The file's bytes.
  var bytes: [UInt8] {
    var file = magic + number(version)
    file += number(tensorCount ?? UInt64(tensors.count)) + number(metadataCount ?? UInt64(pairs.count))
    for pair in pairs {
      file += number(pair.keyLength ?? UInt64(pair.key.count)) + pair.key + number(pair.value.type) + pair.value.bytes
    }
    var next = 0
    for tensor in tensors {
      file += number(tensor.nameLength ?? UInt64(tensor.name.count)) + tensor.name
      file += number(tensor.dimensionCount ?? UInt32(tensor.dimensions.count))
      for length in tensor.dimensions { file += number(length) }
      file += number(tensor.type) + number(tensor.offset ?? UInt64(next))
      next += padded(tensor.data.count)
    }
    for (index, tensor) in tensors.enumerated() {
      pad(&file)
      file += tensor.data
      if index == tensors.count - 1, hasLastPadding { pad(&file) }
    }
    if tensors.isEmpty, hasLastPadding { pad(&file) }
    return file
  }

  private func padded(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }
  private func pad(_ file: inout [UInt8]) { file += Array(repeating: 0, count: padded(file.count) - file.count) }

  private func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: bigEndian ? value.bigEndian : value.littleEndian, Array.init)
  }
}

extension GGUFBuilder.Value {
  private static func of(_ type: GGUFHeader.MetadataType, _ bytes: [UInt8]) -> Self {
    Self(type: type.rawValue, bytes: bytes)
  }

  static func u8(_ value: UInt8) -> Self { of(.uint8, [value]) }
  static func i8(_ value: Int8) -> Self { of(.int8, [UInt8(bitPattern: value)]) }
  static func u16(_ value: UInt16) -> Self { of(.uint16, littleEndian(value)) }
  static func i16(_ value: Int16) -> Self { of(.int16, littleEndian(value)) }
  static func u32(_ value: UInt32) -> Self { of(.uint32, littleEndian(value)) }
  static func i32(_ value: Int32) -> Self { of(.int32, littleEndian(value)) }
  static func f32(_ value: Float) -> Self { of(.float32, littleEndian(value.bitPattern)) }
  static func bool(_ value: UInt8) -> Self { of(.bool, [value]) }
  static func u64(_ value: UInt64) -> Self { of(.uint64, littleEndian(value)) }
  static func i64(_ value: Int64) -> Self { of(.int64, littleEndian(value)) }
  static func f64(_ value: Double) -> Self { of(.float64, littleEndian(value.bitPattern)) }

  static func text(_ value: String) -> Self { text(Array(value.utf8)) }

  /// A string whose length may be stated wrongly.
  static func text(_ bytes: [UInt8], length: UInt64? = nil) -> Self {
    of(.string, littleEndian(length ?? UInt64(bytes.count)) + bytes)
  }

  /// An array of any bytes.
  static func array(_ element: UInt32, _ count: UInt64, _ bytes: [UInt8] = []) -> Self {
    of(.array, littleEndian(element) + littleEndian(count) + bytes)
  }

  static func texts(_ values: [String]) -> Self {
    array(8, UInt64(values.count), values.flatMap { littleEndian(UInt64($0.utf8.count)) + $0.utf8 })
  }
}

extension GGUFBuilder.Pair {
  init(_ key: String, _ value: GGUFBuilder.Value) { self.init(key: Array(key.utf8), value: value) }
}

extension GGUFBuilder.Tensor {
  /// F32 `[4, 2]` with its 32 bytes, unless told otherwise.
  init(
    _ name: String, _ type: UInt32 = 0, _ dimensions: [UInt64] = [4, 2], bytes: Int = 32, offset: UInt64? = nil
  ) {
    self.init(name: Array(name.utf8), type: type, dimensions: dimensions, offset: offset)
    data = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 % 251) }
  }
}

func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
