// IQ1_S: 256 values in 50 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0       2                34           50
//   | d f16 | code: 32 bytes | h: 8 u16   |
//
//   h: 4 times the upper 3 bits of a code | the chunk's scale, 3 bits | shift, 1 bit
//   value = d · (2 scale + 1) · (digit − 1 + shift), digits 0 to 2 as pairs of bits, shift +1/8 or −1/8
#pragma once

struct IQ1_S {
  enum : uint { values = 256, bytes = 50, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ1_S(device const uchar *block) : block(block), d(half_at(block)) {}

  uint high(uint chunk) const { return load<ushort, 1>(block + 34 + 2 * chunk); }
  uint entry(uint chunk, uint group) const {
    return iq1_book[block[2 + 4 * chunk + group] | ((high(chunk) >> (3 * group)) & 7u) << 8];
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    float scale = d * to_float<1>(2u * ((high(chunk) >> 12) & 7u) + 1u);
    return (scale * 0.125f) * iq1_levels<W>(pairs<W>(*this, chunk, at), splat<W>(high(chunk) >> 15));
  }
};
