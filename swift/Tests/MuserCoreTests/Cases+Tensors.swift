@testable import MuserCore

private typealias Tensor = GGUFBuilder.Tensor

extension FileCase {
  /// V07: `general.alignment`.
  static let alignments: [FileCase] = [powersOfTwo, wrongAlignments, alignmentsOfOtherTypes].flatMap { $0 }

  private static let powersOfTwo: [FileCase] = (0...20).map { (power: Int) -> FileCase in
    FileCase("an alignment of 2^\(power)", nil, bytes: stated(.u32(1 << UInt32(power)), laidOut: 1 << power))
  }

  private static let wrongAlignments: [FileCase] = [
    0, 3, 6, 13, 31, 33, 1_048_575, 1_048_577, 2_097_152, 1_073_741_824, 2_147_483_648, 4_294_967_295,
  ].map { (alignment: UInt32) -> FileCase in
    FileCase("an alignment of \(alignment)", .alignment, says: ["general.alignment", "\(alignment)"], bytes: stated(.u32(alignment)))
  }

  private static let alignmentsOfOtherTypes: [FileCase] = [
    FileCase("an alignment as int32", .alignment, says: ["general.alignment", "int32"], bytes: stated(.i32(32))),
    FileCase("an alignment as uint64", .alignment, says: ["uint64"], bytes: stated(.u64(32))),
    FileCase("an alignment as uint8", .alignment, says: ["uint8"], bytes: stated(.u8(32))),
    FileCase("an alignment as text", .alignment, says: ["string"], bytes: stated(.text("32"))),
    FileCase("an alignment as an array", .alignment, says: ["array"], bytes: stated(.array(4, 1, [32, 0, 0, 0]))),
    FileCase("an alignment as float32", .alignment, says: ["float32"], bytes: stated(.f32(32))),
    FileCase("no alignment, data at multiples of 32") { $0.pairs = [] },
    FileCase("an alignment in a file without tensors", nil, bytes: GGUFBuilder.of(.init("general.alignment", .u32(4096))).bytes),
  ]

  /// V08, V09, V10: dimensions, types and blocks.
  static let shapes: [FileCase] = [dimensionCounts, emptyShapes, hugeShapes, blocks, unknownTensorTypes].flatMap { $0 }

  private static let dimensionCounts: [FileCase] = [
    dimensions([], bytes: 4), dimensions([8]), dimensions([2, 2, 2]), dimensions([2, 2, 2, 1]),
    dimensions([2, 2, 2, 1, 1], .shape, says: ["5 dimensions"]),
    FileCase("a tensor of 2^32 - 1 dimensions", .shape, says: ["\"token_embd.weight\"", "4294967295 dimensions"]) {
      $0.tensors[0].dimensionCount = .max
    },
    FileCase("a tensor of 9 dimensions in the record of 2", .shape, says: ["9 dimensions"]) { $0.tensors[0].dimensionCount = 9 },
  ]

  private static let emptyShapes: [FileCase] = [[4, 0], [0], [0, 0, 0, 0], [0, power(62)], [power(40), power(40), 0]]
    .map { (shape: [UInt64]) -> FileCase in dimensions(shape, bytes: 0) }

  private static let hugeShapes: [FileCase] = [
    dimensions([.max], .shape, says: ["-1"]),
    dimensions([4, .max], .shape, says: ["-1"]),
    dimensions([.max, .max, .max, .max], .shape, says: ["-1"]),
    dimensions([4, power(63)], .shape, says: ["negative"]),
    dimensions([0, power(63)], .shape, says: ["negative"]),
    dimensions([power(32), power(32)], .shape, says: ["more values"]),
    dimensions([power(31), power(32)], .shape, says: ["more values"]),
    dimensions([power(62), 2], .shape, says: ["more values"]),
    dimensions([power(40), power(40)], .shape, says: ["more values"]),
    dimensions([power(16), power(16), power(16), power(16)], .shape, says: ["more values"]),
    dimensions([power(63) - 1], .shape, says: ["more bytes"]),
    dimensions([power(62)], .shape, says: ["more bytes"]),
    dimensions([power(62) - 1], .range),
    dimensions([power(62)], type: 24, .range),
    dimensions([power(63) - 1], type: 24, .range),
    dimensions([power(61)], type: 27, .shape, says: ["more bytes"]),
    dimensions([power(61) - 1], type: 27, .range),
  ]

  private static let blocks: [FileCase] = [
    dimensions([31], type: 8, bytes: 34, .row, says: ["31 values", "32 values", "Q8_0"]),
    dimensions([32], type: 8, bytes: 34),
    dimensions([33], type: 8, bytes: 68, .row, says: ["33 values"]),
    dimensions([64, 3], type: 8, bytes: 204),
    dimensions([0], type: 8, bytes: 0),
    dimensions([], type: 8, bytes: 34, .row, says: ["1 values"]),
    dimensions([255], type: 12, bytes: 144, .row, says: ["255 values", "Q4_K"]),
    dimensions([256], type: 12, bytes: 144),
    dimensions([257], type: 12, bytes: 288, .row, says: ["257 values"]),
    dimensions([128, 2], type: 12, bytes: 144, .row),
    dimensions([32, 8], type: 12, bytes: 144, .row, says: ["32 values"]),
    dimensions([1, 256], type: 12, bytes: 144, .row),
  ]

  private static let unknownTensorTypes: [FileCase] = [
    4, 5, 31, 32, 33, 36, 37, 38, 43, 99, 200, 2_147_483_648, 4_294_967_295,
  ].map { (type: UInt32) -> FileCase in dimensions([7, 3], type: type, bytes: 5) }

  private static func power(_ exponent: UInt64) -> UInt64 { UInt64(1) << exponent }

  /// V11, V12: where the data is.
  static let ranges: [FileCase] = [
    FileCase("an offset of 2^64 - 1", .range, says: ["\"token_embd.weight\"", "18446744073709551615"]) { $0.tensors[0].offset = .max },
    FileCase("an offset of 2^64 - 32", .range, says: ["\"token_embd.weight\""]) { $0.tensors[0].offset = .max - 31 },
    FileCase("an offset of 2^63", .range) { $0.tensors[0].offset = 1 << 63 },
    FileCase("an offset of 2^40", .range, says: ["bytes are missing"]) { $0.tensors[0].offset = 1 << 40 },
    FileCase("an offset of 31", .range, says: ["31", "multiple of the alignment 32"]) { $0.tensors[1].offset = 31 },
    FileCase("an offset of 33", .range, says: ["33"]) { $0.tensors[1].offset = 33 },
    FileCase("offsets packed by 1 where the alignment is 32", .range, says: ["multiple of the alignment 32"]) {
      $0.alignment = 1
      $0.tensors[0] = .init("token_embd.weight", 0, [1, 2], bytes: 8)
    },
    ending("with its last byte", 0), ending("one byte early", 1, .range, says: ["1 bytes are missing", "download it again"]),
    ending("without the last tensor", 16, .range, says: ["\"output_norm.weight\"", "16 bytes are missing"]),
    ending("without any data", 48, .range, says: ["48 bytes are missing"]),
    FileCase("no padding after the last tensor") { $0.hasLastPadding = false },
    FileCase("one byte after the last tensor") {
      $0.hasLastPadding = false
      $0.tensors[1].data.append(1)
    },
    FileCase("tensors that share all bytes", .overlap, says: ["\"token_embd.weight\"", "\"output_norm.weight\""]) {
      $0.tensors[1].offset = 0
    },
    FileCase("tensors that share their last 32 bytes", .overlap) {
      $0.tensors = [.init("a", 0, [16], bytes: 64), .init("b", 0, [16], bytes: 64, offset: 32)]
    },
    FileCase("tensors that share one byte", .overlap, says: ["\"a\"", "\"b\""], bytes: packed(second: 7)),
    FileCase("tensors that touch", nil, bytes: packed(second: 8)),
    FileCase("a gap of one byte", nil, bytes: packed(second: 9)),
    FileCase("a tensor inside another", .overlap) {
      $0.tensors = [.init("a", 0, [32], bytes: 128), .init("b", 0, [8], bytes: 32, offset: 64)]
    },
    FileCase("tensors in the other order") {
      $0.tensors = [.init("a", 0, [4], bytes: 32, offset: 32), .init("b", 0, [8], offset: 0)]
    },
    FileCase("tensors in the other order that overlap", .overlap) {
      $0.tensors = [.init("a", 0, [8], offset: 32), .init("b", 0, [16], bytes: 64, offset: 0)]
    },
    FileCase("an empty tensor where another begins") { $0.tensors.insert(.init("empty", 0, [4, 0], bytes: 0), at: 0) },
    FileCase("an empty tensor inside another") {
      $0.tensors[0] = .init("a", 0, [16], bytes: 64)
      $0.tensors[1] = .init("b", 0, [0], bytes: 0, offset: 32)
    },
    FileCase("an empty tensor at the end of the file", nil, bytes: emptyTensor(at: 0)),
    FileCase("an empty tensor one byte past the end", .range, bytes: emptyTensor(at: 1)),
    FileCase("a tensor of an unknown type at the end of the file", nil, bytes: unknownTensor(at: 0)),
    FileCase("a tensor of an unknown type one byte past the end", .range, bytes: unknownTensor(at: 1)),
    FileCase("a file that ends in the padding before the data", .range, says: ["bytes are missing"], bytes: endInPadding),
    FileCase("tensors in the other order that share one byte", .overlap, bytes: swapped(first: 7)),
    FileCase("tensors in the other order that touch", nil, bytes: swapped(first: 8)),
    FileCase("an empty tensor inside another, in the other order") {
      $0.tensors = [
        .init("a", 0, [8], offset: 64), .init("b", 0, [16], bytes: 64, offset: 0), .init("c", 0, [0], bytes: 0, offset: 32),
      ]
    },
    FileCase("an empty tensor past the end", .range, says: ["\"empty\""]) {
      $0.tensors.append(.init("empty", 0, [0], bytes: 0, offset: 1 << 40))
    },
    FileCase("an empty tensor at an offset of 2^64 - 32", .range) {
      $0.tensors.append(.init("empty", 0, [0], bytes: 0, offset: .max - 31))
    },
    FileCase("a tensor of an unknown type where another begins") { $0.tensors.insert(.init("x", 200, [4], bytes: 0), at: 0) },
    FileCase("a tensor of an unknown type past the end", .range, says: ["\"x\""]) {
      $0.tensors.append(.init("x", 200, [4], bytes: 0, offset: 1 << 30))
    },
  ]

  private static func dimensions(
    _ dimensions: [UInt64], type: UInt32 = 0, bytes: Int = 32, _ code: MuserError.Code? = nil, says: [String] = []
  ) -> FileCase {
    FileCase(
      "a tensor of type \(type) and shape \(dimensions)", code, says: code == nil ? says : ["\"t\""] + says,
      bytes: GGUFBuilder.of(Tensor("t", type, dimensions, bytes: bytes)).bytes)
  }

  /// The sound file with this alignment stated, laid out by `laidOut`.
  private static func stated(_ alignment: GGUFBuilder.Value, laidOut: Int = 32) -> [UInt8] {
    var file = GGUFBuilder.sound
    file.pairs.append(.init("general.alignment", alignment))
    file.alignment = laidOut
    return file.bytes
  }

  /// The sound file without padding at its end, and without `missing` bytes more.
  private static func ending(
    _ title: String, _ missing: Int, _ code: MuserError.Code? = nil, says: [String] = []
  ) -> FileCase {
    var file = GGUFBuilder.sound
    file.hasLastPadding = false
    return FileCase("a file that ends \(title)", code, says: says, bytes: file.bytes.dropLast(missing))
  }

  /// A file of one empty tensor with alignment 1, which begins so many bytes after the file's end.
  private static func emptyTensor(at more: UInt64) -> [UInt8] {
    var file = GGUFBuilder.of(Tensor("empty", 0, [0], bytes: 0, offset: 0), alignment: 1)
    file.tensors[0].offset = UInt64(file.bytes.count) + more
    return file.bytes
  }

  /// A file without data whose only tensor is of an unknown type and begins so many bytes after the file's end.
  private static func unknownTensor(at more: UInt64) -> [UInt8] {
    GGUFBuilder.of(Tensor("unknown", 200, [4], bytes: 0, offset: more), alignment: 1).bytes
  }

  private static var endInPadding: [UInt8] {
    let file = GGUFBuilder.sound
    let header = (try? parse(file.bytes).bytes) ?? 0
    return Array(file.bytes.prefix(header + 1))
  }

  /// Two tensors of 8 bytes with alignment 1: the record of the one that begins at `first`, then that of the one at 0.
  private static func swapped(first: UInt64) -> [UInt8] {
    GGUFBuilder.of(Tensor("a", 0, [2], bytes: 8, offset: first), Tensor("b", 0, [2], bytes: 8, offset: 0), alignment: 1).bytes
  }

  /// Two tensors of 8 bytes with alignment 1, the second one at `second`.
  private static func packed(second: UInt64) -> [UInt8] {
    var file = GGUFBuilder.of(Tensor("a", 0, [2], bytes: 8), Tensor("b", 0, [2], bytes: 9, offset: second), alignment: 1)
    file.hasLastPadding = false
    return file.bytes
  }
}
