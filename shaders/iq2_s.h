// IQ2_S: 256 values in 82 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0       2                34               66           74           82
//   | d f16 | code: 32 bytes | signs: 32 bytes | h: 8 bytes | s: 8 bytes |
//
//   pair `group` of the chunk's h is the upper 2 bits of the code; a chunk's first 16 values are scaled by s & 15, its
//   last 16 by s >> 4
//   value = d · (scale + 1/2) / 4 · magnitude, negated where its sign is set
#pragma once

struct IQ2_S {
  enum : uint { values = 256, bytes = 82, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ2_S(device const uchar *block) : block(block), d(half_at(block)) {}

  uint entry(uint chunk, uint group) const {
    uint high = (uint(block[66 + chunk]) >> (2 * group)) & 3u;
    return iq2_s_book[block[2 + 4 * chunk + group] | high << 8];
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint s = block[74 + chunk] >> (at / 16 * 4), signs = load_word<2>(block + 34 + 4 * chunk);
    float scale = d * (to_float<1>(s & 15u) + 0.5f) * 0.25f;
    return negate<W>(scale * iq2_levels<W>(pairs<W>(*this, chunk, at)), signs >> at);
  }
};
