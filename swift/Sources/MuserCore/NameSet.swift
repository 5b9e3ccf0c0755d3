/// Finds a name that is there twice, whatever the number of names, in 16 to 32 bytes a name.
struct NameSet {
  /// Open addressing. A slot is empty (0) or holds a name's range: where it starts, and its length in the low 16 bits.
  private var slots: [UInt64]

  init(capacity: Int) {
    var size = 8
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Adds the name at `range`, which is neither empty nor longer than 65,535; false where an equal one is there.
  mutating func insert(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
    let name = UnsafeRawBufferPointer(rebasing: bytes[range])
    // The hasher is seeded anew in each process, so no file can be made whose names all meet in one slot.
    var hasher = Hasher()
    hasher.combine(bytes: name)
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] != 0 {
      let start = Int(slots[slot] >> 16)
      let length = Int(slots[slot] & 0xFFFF)
      if length == name.count, bytes[start..<start + length].elementsEqual(name) { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt64(range.lowerBound) << 16 | UInt64(range.count)
    return true
  }
}
