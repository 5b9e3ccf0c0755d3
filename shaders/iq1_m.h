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
  enum : uint { values = 256, bytes = 56, run = 32, planes = 1, widest = 8 };
  device const uchar *block;
  float d;

  explicit IQ1_M(device const uchar *block) : block(block) {
    uint low = load_word<4>(block + 48), high = load_word<4>(block + 52);
    d = from_half<1>((low >> 12 & 0xfu) | (low >> 24 & 0xf0u) | (high >> 4 & 0xf00u) | (high >> 16 & 0xf000u));
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint, uint at) const {
    uint group = 4 * chunk + at / 8, high = (uint(block[32 + group / 2]) >> (group % 2 * 4)) & 15u;
    uint code = iq1_book[block[group] | (high & 7u) << 8] >> (at % 8 * 2);
    uint scale = load<ushort, 1>(block + 48 + chunk / 2 * 2) >> (chunk % 2 * 6 + at / 16 * 3);
    return (d * to_float<1>(2u * (scale & 7u) + 1u)) * iq1_levels<W>(code, high >> 3);
  }
};
