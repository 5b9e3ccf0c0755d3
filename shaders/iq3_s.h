// IQ3_S: 256 values in 110 bytes, in 8 chunks of 32 = 8 groups of 4.
//
//   0       2                66           74               106          110
//   | d f16 | code: 64 bytes | h: 8 bytes | signs: 32 bytes | s: 4 bytes |
//
//   bit `group` of the chunk's h is the ninth bit of a code; nibble i of s is chunk i's scale
//   value = d · (2 scale + 1) · magnitude, negated where its sign is set
//   magnitudes 1, 3, 5 … 15, as 3 bits
#pragma once

struct IQ3_S {
  enum : uint { values = 256, bytes = 110, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ3_S(device const uchar *block) : block(block), d(half_at(block)) {}

  uint entry(uint chunk, uint group) const {
    uint high = (uint(block[66 + chunk]) >> group) & 1u;
    return iq3_s_book[block[2 + 8 * chunk + group] | high << 8];
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint s = block[106 + chunk / 2] >> (chunk % 2 * 4), signs = load_word<2>(block + 74 + 4 * chunk);
    float scale = d * to_float<1>(2u * (s & 15u) + 1u);
    return negate<W>(scale * to_float<W>(2u * triples<W>(*this, chunk, at) + 1u), signs >> at);
  }
};
