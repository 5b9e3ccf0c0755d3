// IQ1_M: 256 values in 56 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0                32           48         56
//   | code: 32 bytes | h: 16 bytes | s: 4 u16 |
//
//   h: a nibble a group: the upper 3 bits of its code | shift, 1 bit
//   s: each 4 scales of 3 bits, one for 16 values; their upper nibbles together are d, an f16, lowest first
//   value = d · (2 scale + 1) · (digit − 1 + shift), digits 0 to 2 as pairs of bits, shift +1/8 or −1/8
#pragma once

struct IQ1_M {
  enum : uint { values = 256, bytes = 56, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ1_M(device const uchar *block) : block(block) {
    uint low = load_word<4>(block + 48), high = load_word<4>(block + 52);
    d = from_half<1>((low >> 12 & 0xfu) | (low >> 24 & 0xf0u) | (high >> 4 & 0xf00u) | (high >> 16 & 0xf000u));
  }

  uint high(uint chunk, uint group) const { return uint(block[32 + 2 * chunk + group / 2]) >> (group % 2 * 4); }
  uint entry(uint chunk, uint group) const {
    return iq1_book[block[4 * chunk + group] | (high(chunk, group) & 7u) << 8];
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint s = load<ushort, 1>(block + 48 + chunk / 2 * 2) >> (chunk % 2 * 6 + at / 16 * 3), group = at / 8;
    uint low = high(chunk, group) >> 3 & 1u, next = W > 8 ? high(chunk, group + 1) >> 3 & 1u : 0;
    float scale = d * to_float<1>(2u * (s & 7u) + 1u);
    return (scale * 0.125f) * iq1_levels<W>(pairs<W>(*this, chunk, at), by_eights<W>(low, next));
  }
};
