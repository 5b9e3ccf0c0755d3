@testable import MuserCore

extension FileCase {
  /// The 33 kinds of file that the reference reader is tested with, under its own names. Where it expects something
  /// else, the case is in `differences` instead.
  static let reference: [FileCase] = [
    FileCase("HEADER_BAD_MAGIC", .badMagic) { $0.magic = Array("FUGG".utf8) },
    FileCase("HEADER_BAD_VERSION_0", .version) { $0.version = 0 },
    FileCase("HEADER_BAD_VERSION_1", .version) { $0.version = 1 },
    FileCase("HEADER_BAD_VERSION_FUTURE", .version) { $0.version = 4 },
    FileCase("HEADER_BAD_N_TENSORS", .count) { $0.tensorCount = .max },
    FileCase("HEADER_BAD_N_KV", .count) { $0.metadataCount = .max },
    FileCase("HEADER_EMPTY", nil, bytes: GGUFBuilder.empty.bytes),
    FileCase("KV_BAD_KEY_SIZE", .string) { $0.pairs[0].keyLength = .max },
    FileCase("KV_EMPTY_KEY", .string) { $0.pairs[0].key = [] },
    FileCase("KV_BAD_TYPE", .kvType) { $0.pairs[0].value.type = 13 },
    FileCase("KV_DUPLICATE_KEY", .duplicate) { $0.pairs += $0.pairs },
    FileCase("KV_BAD_ALIGN", .alignment) { $0.pairs.append(.init("general.alignment", .u32(13))) },
    FileCase("KV_WRONG_TYPE_ALIGN", .alignment) { $0.pairs.append(.init("general.alignment", .i32(32))) },
    FileCase("KV_SUCCESS") { $0.pairs += someOfEveryType },
    FileCase("TENSORS_BAD_NAME_SIZE", .string) { $0.tensors[0].name = Array(repeating: 110, count: 64) },
    FileCase("TENSORS_BAD_N_DIMS", .shape) { $0.tensors[0].dimensionCount = 5 },
    FileCase("TENSORS_BAD_SHAPE", .shape) { $0.tensors[0].dimensions = [.max, .max] },
    FileCase("TENSORS_ZERO_DIM") { $0.tensors.append(.init("empty", 0, [5, 0], bytes: 0, offset: 64)) },
    FileCase("TENSORS_NE_TOO_BIG", .shape) { $0.tensors[0].dimensions = [4 * 0x7FFF_FFFF, 4 * 0x7FFF_FFFF] },
    FileCase("TENSORS_NBYTES_TOO_BIG", .shape) {
      $0.tensors[0].type = 27
      $0.tensors[0].dimensions = [1 << 61, 2]
    },
    FileCase("TENSORS_BAD_OFFSET", .range) { $0.tensors[0].offset = .max },
    FileCase("TENSORS_DUPLICATE_NAME", .duplicate) { $0.tensors[1].name = $0.tensors[0].name },
    FileCase("TENSORS_BAD_ALIGN", .alignment) { $0.pairs.append(.init("general.alignment", .u32(13))) },
    FileCase("TENSORS_INCONSISTENT_ALIGN", .range) {
      $0.tensors[0] = .init("token_embd.weight", 24, [7], bytes: 7)
      $0.alignment = 1
    },
    FileCase("TENSORS_SUCCESS") { $0.tensors += someOfEveryShape },
    FileCase("TENSORS_CUSTOM_ALIGN") {
      $0.tensors += someOfEveryShape
      $0.pairs.append(.init("general.alignment", .u32(1)))
      $0.alignment = 1
    },
    FileCase("DATA_NOT_ENOUGH_DATA", .range, bytes: oneDataByteMissing),
    FileCase("DATA_BAD_ALIGN", .alignment) { $0.pairs.append(.init("general.alignment", .u32(13))) },
    FileCase("DATA_INCONSISTENT_ALIGN", .range) {
      $0.tensors[0] = .init("token_embd.weight", 24, [33], bytes: 33)
      $0.alignment = 1
    },
    FileCase("DATA_MEM_SIZE_OVERFLOW", .range) {
      $0.tensors = [
        .init("a", 24, [0x7FFF_FFFF_FFFF_FFC0], bytes: 32, offset: 0),
        .init("b", 24, [0x7FFF_FFFF_FFFF_FFC0], bytes: 0, offset: 0x7FFF_FFFF_FFFF_FFC0),
      ]
    },
    FileCase("DATA_SUCCESS") { $0.tensors += someOfEveryShape },
    FileCase("DATA_CUSTOM_ALIGN") {
      $0.tensors += someOfEveryShape
      $0.pairs.append(.init("general.alignment", .u32(8)))
      $0.alignment = 8
    },
  ]

  private static var oneDataByteMissing: [UInt8] {
    var file = GGUFBuilder.sound
    file.hasLastPadding = false
    return file.bytes.dropLast(1)
  }

  private static let someOfEveryType: [GGUFBuilder.Pair] = [
    .init("u8", .u8(.max)), .init("i8", .i8(-1)), .init("u16", .u16(.max)), .init("i16", .i16(-1)),
    .init("u32", .u32(.max)), .init("i32", .i32(-1)), .init("f32", .f32(.nan)), .init("bool", .bool(1)),
    .init("text", .text("text")), .init("u64", .u64(.max)), .init("i64", .i64(-1)), .init("f64", .f64(.infinity)),
    .init("texts", .texts(["", "a", "über", "日本"])),
    .init("bytes", .array(0, 7, Array(repeating: 1, count: 7))),
    .init("shorts", .array(2, 7, Array(repeating: 1, count: 14))),
    .init("words", .array(5, 7, Array(repeating: 1, count: 28))),
    .init("bools", .array(7, 7, Array(repeating: 1, count: 7))),
    .init("floats", .array(6, 7, Array(repeating: 1, count: 28))),
    .init("doubles", .array(12, 7, Array(repeating: 1, count: 56))),
  ]

  private static let someOfEveryShape: [GGUFBuilder.Tensor] = [
    .init("f32", 0, [3, 5], bytes: 60), .init("f16", 1, [7, 2], bytes: 28), .init("bf16", 30, [1, 9], bytes: 18),
    .init("q8", 8, [64, 2], bytes: 136), .init("q4", 12, [256, 3], bytes: 432), .init("i8", 24, [5], bytes: 5),
    .init("i64", 27, [2, 1, 2, 1], bytes: 32), .init("scalar", 26, [], bytes: 4),
  ]
}

/// Where this reader differs from the reference reader on purpose.
struct Difference: Sendable {
  let file: FileCase
  /// What the reference does.
  let reference: String
  let reason: String

  static let all: [Difference] = [
    Difference(
      file: FileCase("TENSORS_BAD_TYPE: a type that nobody knows") { $0.tensors[1].type = 43 },
      reference: "refuses", reason: "a tensor that nobody needs does no harm; its table cannot be opened"),
    Difference(
      file: FileCase("a gap between tensors") {
        $0.tensors[1].offset = 64; $0.tensors[1].data += Array(repeating: 0, count: 64)
      },
      reference: "refuses", reason: "the format asks only for alignment, and nothing reads the gap"),
    Difference(
      file: FileCase("tensors that are not in the order of their offsets") {
        $0.tensors[0].offset = 32
        $0.tensors[1].offset = 0
        $0.tensors[1].data = Array(repeating: 0, count: 32)
      },
      reference: "refuses", reason: "overlap is what harms, and that is proven by sorting"),
    Difference(
      file: FileCase("an empty tensor at any offset in the file") { $0.tensors.append(.init("e", 0, [0], bytes: 0, offset: 32)) },
      reference: "refuses", reason: "it has no bytes that could be read"),
    Difference(
      file: FileCase("the last padding missing") { $0.hasLastPadding = false },
      reference: "refuses where it loads the data, accepts where it maps it", reason: "no tensor's byte is missing"),
    Difference(
      file: FileCase("an alignment of 2 MiB", .alignment) { $0.pairs.append(.init("general.alignment", .u32(1 << 21))) },
      reference: "accepts", reason: "a file of 160 bytes could ask for gigabytes of padding"),
    Difference(
      file: FileCase("a key of 65,536 bytes", .string) { $0.pairs[0].key = Array(repeating: 107, count: 65_536) },
      reference: "accepts", reason: "the format's own limit is 65,535"),
    Difference(
      file: FileCase("a tensor without a name", .string) { $0.tensors[0].name = [] },
      reference: "accepts", reason: "nobody could ask for it"),
    Difference(
      file: FileCase("a product of dimensions that wraps to 0", .shape) { $0.tensors[0].dimensions = [1 << 32, 1 << 32] },
      reference: "accepts it as an empty tensor", reason: "it states 2^64 values, not none"),
  ]
}
