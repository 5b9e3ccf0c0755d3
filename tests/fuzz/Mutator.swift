/// LibFuzzer's own mutation of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int) -> Int

/// Half of the time changes bytes, half of the time one number of the file's structure: random bytes alone seldom get
/// past the magic and the counts.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
  var dice = Dice(state: UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15)
  let file = UnsafeMutableRawBufferPointer(start: data, count: capacity)
  let fields = fieldsOf(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(file)[..<size]))
  guard let field = dice.pick(fields), dice.roll(2) == 0 else { return mutateBytes(data, size, capacity) }
  let old = number(at: field, UnsafeRawBufferPointer(file))
  let left = UInt64(size - field.offset)
  let limits: [UInt64] = [
    0, 1, 2, 4, 5, 9, 12, 13, 32, 63, 64, 65_535, 65_536, 1 << 20, 16 << 20, 1 << 31, 1 << 32, 1 << 61, 1 << 62, 1 << 63,
    .max, left, left / 8, left / 14, left / 24, UInt64(size), old &+ 1, old &- 1, old &* 2, old &+ 32, old &- 32, ~old,
  ]
  let value = dice.roll(4) == 0 ? dice.next() >> dice.roll(64) : dice.pick(limits)! &+ dice.roll(3) &- 1
  withUnsafeBytes(of: value.littleEndian) { bytes in
    UnsafeMutableRawBufferPointer(rebasing: file[field.offset..<field.offset + field.bytes])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<field.bytes]))
  }
  return size
}

private struct Dice {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
  }
  mutating func roll(_ sides: UInt64) -> UInt64 { (next() >> 33) % sides }
  mutating func pick<Element>(_ choices: [Element]) -> Element? {
    choices.isEmpty ? nil : choices[Int(roll(UInt64(choices.count)))]
  }
}

private struct Field {
  let offset: Int
  let bytes: Int
}

private func number(at field: Field, _ file: UnsafeRawBufferPointer) -> UInt64 {
  field.bytes == 8
    ? file.loadUnaligned(fromByteOffset: field.offset, as: UInt64.self)
    : UInt64(file.loadUnaligned(fromByteOffset: field.offset, as: UInt32.self))
}

/// The numbers of a file's structure, as far as they can be followed.
private func fieldsOf(_ file: UnsafeRawBufferPointer) -> [Field] {
  var fields: [Field] = []
  var at = 4
  func take(_ bytes: Int) -> UInt64? {
    guard fields.count < 1000, bytes <= file.count - at else { return nil }
    fields.append(Field(offset: at, bytes: bytes))
    at += bytes
    return number(at: fields.last!, file)
  }
  func skip(_ bytes: UInt64?) -> Bool {
    guard let bytes, bytes <= UInt64(file.count - at) else { return false }
    at += Int(bytes)
    return true
  }
  func value(_ type: UInt64) -> Bool {
    let sizes: [UInt64] = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]
    switch type {
    case 8: return skip(take(8))
    case 9:
      guard let element = take(4), let count = take(8), element < 13, element != 9, count < 1 << 20 else { return false }
      if element != 8 { return skip(sizes[Int(element)] * count) }
      for _ in 0..<count where !skip(take(8)) { return false }
      return true
    case 0...12: return sizes[Int(type)] == 4 ? take(4) != nil : skip(sizes[Int(type)])
    default: return false
    }
  }
  guard file.count > 24, take(4) != nil, let tensors = take(8), let keys = take(8) else { return fields }
  for _ in 0..<min(keys, 100) {
    guard skip(take(8)), let type = take(4), value(type) else { return fields }
  }
  for _ in 0..<min(tensors, 100) {
    guard skip(take(8)), let dimensions = take(4), dimensions <= 8 else { return fields }
    for _ in 0..<dimensions where take(8) == nil { return fields }
    guard take(4) != nil, take(8) != nil else { return fields }
  }
  return fields
}
