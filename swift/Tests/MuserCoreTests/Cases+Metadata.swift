@testable import MuserCore

private func pair(_ key: String, _ value: GGUFBuilder.Value) -> GGUFBuilder.Pair { .init(key, value) }

extension FileCase {
  /// V03: keys, names and strings. Lengths that need a larger file are in LimitTests.
  static let texts: [FileCase] = [
    key("of 0 bytes", 0, .string, says: ["0 bytes", "byte 24"]),
    key("of 1 byte", 1),
    key("of 65,534 bytes", 65_534),
    key("of 65,535 bytes", 65_535),
    key("of 65,536 bytes", 65_536, .string, says: ["65536 bytes", "byte 24"]),
    name("of 0 bytes", 0, .string, says: ["0 bytes", "byte 24"]),
    name("of 1 byte", 1),
    name("of 62 bytes", 62),
    name("of 63 bytes", 63),
    name("of 64 bytes", 64, .string, says: ["64 bytes", "byte 24"]),
    name("of 1,000 bytes", 1000, .string, says: ["1000 bytes"]),
    keyLength("2^64 - 1", .max),
    keyLength("2^63", 1 << 63),
    keyLength("2^48", 1 << 48),
    keyLength("2^32", 1 << 32),
    keyLength("2^31", 1 << 31),
    FileCase("a name length of 2^64 - 1", .string, says: ["byte "]) { $0.tensors[0].nameLength = .max },
    FileCase("a name length of 2^32", .string, says: ["byte "]) { $0.tensors[0].nameLength = 1 << 32 },
    textLength("2^64 - 1", .max),
    textLength("2^63", 1 << 63),
    textLength("2^31", 1 << 31),
    lastText("of all the bytes that are left", 0),
    lastText("of one byte fewer than are left", -1),
    lastText("of one byte more than are left", 1, .string, says: ["5 bytes long", "4 bytes are left"]),
    FileCase("an element of a string array that is too long", .string, says: ["element 1", "\"list\""]) {
      $0.pairs = [pair("list", .array(8, 3, littleEndian(UInt64(1)) + [65] + littleEndian(UInt64.max)))]
    },
    FileCase("a string that is not UTF-8") { $0.pairs = [pair("text", .text([0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80]))] },
    FileCase("a key that is not UTF-8") { $0.pairs = [.init(key: [0xFF, 0xFE], value: .u8(1))] },
    FileCase("a name that is not UTF-8") { $0.tensors[1].name = [0xFF, 0xFE, 0x80] },
    FileCase("a key with a NUL in it") { $0.pairs += [pair("a\0b", .u8(1))] },
    FileCase("an empty string") { $0.pairs += [pair("text", .text(""))] },
  ]

  /// V04: types of values.
  static let values: [FileCase] = [soundTypes, unknownTypes, unknownElements, otherValues].flatMap { $0 }

  private static let soundTypes: [FileCase] = (0...12).map { (type: Int) -> FileCase in
    let bytes: [UInt8] = type == 9 ? Array(repeating: 0, count: 12) : Array(repeating: 0, count: type == 8 ? 8 : sizes[type])
    return FileCase("a value of type \(type)") { $0.pairs = [pair("value", .init(type: UInt32(type), bytes: bytes))] }
  }

  private static let unknownTypes: [FileCase] = [13, 14, 255, 256, 65_536, 2_147_483_648, 4_294_967_295].map { (type: UInt32) -> FileCase in
    FileCase("a value of type \(type)", .kvType, says: ["\"value\"", "type \(type)"]) {
      $0.pairs = [pair("value", .init(type: type, bytes: Array(repeating: 0, count: 16)))]
    }
  }

  private static let unknownElements: [FileCase] = [13, 255, 2_147_483_648, 4_294_967_295].map { (type: UInt32) -> FileCase in
    FileCase("an array of elements of type \(type)", .kvType, says: ["\"list\"", "type \(type)"]) {
      $0.pairs = [pair("list", .array(type, 1, [0, 0, 0, 0, 0, 0, 0, 0]))]
    }
  }

  private static let otherValues: [FileCase] = [
    FileCase("an array of arrays", .kvType, says: ["\"list\"", "array of arrays"]) {
      $0.pairs = [pair("list", .array(9, 1, GGUFBuilder.Value.array(0, 1, [1]).bytes))]
    },
    FileCase("arrays nested a thousand deep", .kvType, says: ["array of arrays"]) {
      let level = GGUFBuilder.Value.array(9, 1).bytes
      $0.pairs = [pair("list", .init(type: 9, bytes: Array(repeatElement(level, count: 1000).joined())))]
    },
    FileCase("a bool that is neither 0 nor 1") { $0.pairs = [pair("value", .bool(2))] },
    FileCase("a value that is cut short", .range, says: ["\"value\"", "cut short"], bytes: cutShort(.u64(1), by: 1)),
    FileCase("a value whose type is cut short", .range, says: ["\"value\""], bytes: cutShort(.u8(1), by: 2)),
  ]

  /// V05: how many elements of each type the bytes that are left can hold.
  static let arrays: [FileCase] = [fittingArrays, hugeArrays, otherArrays].flatMap { $0 }

  private static let elementTypes = (0...12).filter { $0 != 9 }

  private static let fittingArrays: [FileCase] = elementTypes.flatMap { (type: Int) -> [FileCase] in
    [
      array(of: type, "as many elements as bytes are left for", 0),
      array(of: type, "one element fewer than bytes are left for", -1),
      array(of: type, "one element more than bytes are left for", 1, .array, says: ["\"list\"", "4 elements"]),
    ]
  }

  private static let hugeArrays: [FileCase] = [40, 61, 62, 63].flatMap { (power: UInt64) -> [FileCase] in
    [0, 3, 4, 8, 10].map { (element: UInt32) -> FileCase in
      let count = UInt64(1) << power
      return FileCase("an array of 2^\(power) elements of type \(element)", .array, says: ["\"list\"", "\(count) elements"]) {
        $0.pairs = [pair("list", .array(element, count))]
      }
    }
  }

  private static let otherArrays: [FileCase] = [
    FileCase("an array of 2^64 - 1 elements", .array, says: ["18446744073709551615"]) {
      $0.pairs = [pair("list", .array(8, .max))]
    },
    FileCase("an empty array of each type") {
      $0.pairs = elementTypes.map { pair("list \($0)", .array(UInt32($0), 0)) }
    },
    FileCase("an array of 2^63 bytes in a file of 53 bytes", .array, says: ["\"a\""], bytes: hugeArrayIn53Bytes),
  ]

  /// V06: names that are there twice.
  static let names: [FileCase] = [
    FileCase("a key that is there twice", .duplicate, says: ["\"general.architecture\"", "twice"]) {
      $0.pairs.append($0.pairs[0])
    },
    FileCase("a key that is there twice with other values", .duplicate, says: ["\"a\""]) {
      $0.pairs += [pair("a", .u8(1)), pair("b", .u8(1)), pair("a", .text("x"))]
    },
    FileCase("every key twice", .duplicate, says: ["\"general.architecture\""]) { $0.pairs += $0.pairs },
    FileCase("a tensor that is there twice", .duplicate, says: ["\"token_embd.weight\"", "twice"]) {
      $0.tensors.append($0.tensors[0])
    },
    FileCase("keys that differ after a NUL") { $0.pairs += [pair("a\0b", .u8(1)), pair("a\0c", .u8(1))] },
    FileCase("keys of which one begins the other") { $0.pairs += [pair("a", .u8(1)), pair("aa", .u8(1))] },
    FileCase("names that differ in their last byte") {
      $0.tensors = [.init(String(repeating: "n", count: 62) + "1"), .init(String(repeating: "n", count: 62) + "2")]
    },
    FileCase("names that differ in case") { $0.tensors = [.init("w"), .init("W")] },
    FileCase("a key and a tensor of one name") { $0.pairs += [pair("token_embd.weight", .u8(1))] },
    FileCase("two alignments", .duplicate, says: ["\"general.alignment\""]) {
      $0.pairs += [pair("general.alignment", .u32(32)), pair("general.alignment", .u32(64))]
    },
  ]

  private static let sizes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]

  private static func key(_ title: String, _ length: Int, _ code: MuserError.Code? = nil, says: [String] = []) -> FileCase {
    FileCase("a key \(title)", code, says: says) {
      $0.pairs = [.init(key: Array(repeating: 107, count: length), value: .u8(1))]
    }
  }

  private static func name(_ title: String, _ length: Int, _ code: MuserError.Code? = nil, says: [String] = []) -> FileCase {
    FileCase("a tensor name \(title)", code, says: says) {
      $0.pairs = []
      $0.tensors[0].name = Array(repeating: 110, count: length)
    }
  }

  private static func keyLength(_ title: String, _ length: UInt64) -> FileCase {
    FileCase("a key length of \(title)", .string, says: ["byte 24", "\(length) bytes long"]) { $0.pairs[0].keyLength = length }
  }

  private static func textLength(_ title: String, _ length: UInt64) -> FileCase {
    FileCase("a string length of \(title)", .string, says: ["\"text\"", "\(length) bytes long"]) {
      $0.pairs = [pair("text", .text([65], length: length))]
    }
  }

  /// A string of four bytes at the end of the file, whose length is stated `more` bytes too large.
  private static func lastText(
    _ title: String, _ more: Int, _ code: MuserError.Code? = nil, says: [String] = []
  ) -> FileCase {
    var file = GGUFBuilder.of(pair("text", .text([65, 66, 67, 68], length: UInt64(4 + more))))
    file.hasLastPadding = false
    return FileCase("a string \(title)", code, says: says, bytes: file.bytes)
  }

  /// An array of three elements at the end of the file, whose count is stated `more` too large.
  private static func array(
    of type: Int, _ title: String, _ more: Int, _ code: MuserError.Code? = nil, says: [String] = []
  ) -> FileCase {
    let element = type == 8 ? littleEndian(UInt64(0)) : Array(repeating: 1, count: sizes[type])
    let elements = Array(repeatElement(element, count: 3).joined())
    var file = GGUFBuilder.of(pair("list", .array(UInt32(type), UInt64(3 + more), elements)))
    file.hasLastPadding = false
    return FileCase("an array of type \(type) with \(title)", code, says: says, bytes: file.bytes)
  }

  /// A file that ends `missing` bytes before the end of its only value.
  private static func cutShort(_ value: GGUFBuilder.Value, by missing: Int) -> [UInt8] {
    var file = GGUFBuilder.of(pair("value", value))
    file.hasLastPadding = false
    return file.bytes.dropLast(missing)
  }

  private static var hugeArrayIn53Bytes: [UInt8] {
    var file = GGUFBuilder.of(pair("a", .array(0, 1 << 63)))
    file.hasLastPadding = false
    return Array((file.bytes + [1, 2, 3, 4, 5]).prefix(53))
  }
}
