/// LibFuzzer's own mutation of bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int) -> Int

/// Half of the time changes bytes, half of the time one number of the file's structure: random bytes alone seldom get
/// past the magic and the counts.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
  var dice = Dice(state: UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15)
  let file = UnsafeMutableRawBufferPointer(start: data, count: capacity)
  guard dice.roll(2) == 0, let field = dice.field(of: UnsafeRawBufferPointer(rebasing: file[..<size])) else {
    return mutateBytes(data, size, capacity)
  }
  let old = number(at: field, UnsafeRawBufferPointer(file))
  let value = dice.value(near: old, left: UInt64(size - field.offset), of: UInt64(size))
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

  /// One of the numbers of a file's structure, as far as they can be followed.
  mutating func field(of file: UnsafeRawBufferPointer) -> Field? {
    var walk = Walk(file: file, stop: .max)
    walk.run()
    guard walk.count > 0 else { return nil }
    walk = Walk(file: file, stop: Int(roll(UInt64(walk.count))))
    walk.run()
    return walk.found
  }

  /// A number at a limit, or any.
  mutating func value(near old: UInt64, left: UInt64, of size: UInt64) -> UInt64 {
    let near = roll(3) &- 1
    switch roll(16) {
    case 0: return left &+ near
    case 1: return left / 8 &+ near
    case 2: return left / 14 &+ near
    case 3: return left / 24 &+ near
    case 4: return size &+ near
    case 5: return old &+ near
    case 6: return old &* 2 &+ near
    case 7: return old &+ 32 &* near
    case 8: return ~old
    case 9...12: return 1 << roll(64) &+ near
    case 13: return roll(16)
    case 14: return 0 &- roll(64)
    default: return next() >> roll(64)
    }
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

/// Steps from number to number through a file, and stops at one.
private struct Walk {
  let file: UnsafeRawBufferPointer
  let stop: Int
  var at = 4
  var count = 0
  var found: Field?

  init(file: UnsafeRawBufferPointer, stop: Int) {
    self.file = file
    self.stop = stop
  }

  mutating func run() {
    guard file.count > 24, take(4) != nil, let tensors = take(8), let keys = take(8) else { return }
    for _ in 0..<min(keys, 100) {
      guard skip(take(8)), let type = take(4), value(type) else { return }
    }
    for _ in 0..<min(tensors, 100) {
      guard skip(take(8)), let dimensions = take(4), dimensions <= 8 else { return }
      for _ in 0..<dimensions where take(8) == nil { return }
      guard take(4) != nil, take(8) != nil else { return }
    }
  }

  private mutating func take(_ bytes: Int) -> UInt64? {
    guard count <= stop, count < 1000, bytes <= file.count - at else { return nil }
    let field = Field(offset: at, bytes: bytes)
    if count == stop { found = field }
    count += 1
    at += bytes
    return number(at: field, file)
  }

  private mutating func skip(_ bytes: UInt64?) -> Bool {
    guard let bytes, bytes <= UInt64(file.count - at) else { return false }
    at += Int(bytes)
    return true
  }

  private mutating func value(_ type: UInt64) -> Bool {
    switch type {
    case 8: return skip(take(8))
    case 9:
      guard let element = take(4), let count = take(8), element < 13, element != 9, count < 1 << 20 else { return false }
      if element != 8 { return skip(size(of: element) * count) }
      for _ in 0..<count where !skip(take(8)) { return false }
      return true
    case 0...12: return size(of: type) == 4 ? take(4) != nil : skip(size(of: type))
    default: return false
    }
  }

  private func size(of type: UInt64) -> UInt64 {
    switch type {
    case 0, 1, 7: 1
    case 2, 3: 2
    case 4...6: 4
    default: 8
    }
  }
}
