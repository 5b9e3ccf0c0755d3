// IQ2_XS: 256 values in 74 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0       2                            66           74
//   | d f16 | 32 u16: code 9, signs 7    | s: 8 bytes |
//
//   signs: the eighth completes an even number; a chunk's first 16 values are scaled by s & 15, its last 16 by s >> 4
//   value = d · (scale + 1/2) / 4 · magnitude, negated where its sign is set
#pragma once

struct IQ2_XS {
  enum : uint { values = 256, bytes = 74, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ2_XS(device const uchar *block) : block(block), d(half_at(block)) {}

  uint entry(uint chunk, uint group) const {
    return iq2_xs_book[load<ushort, 1>(block + 2 + 8 * chunk + 2 * group) & 511u];
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint two = load_word<2>(block + 2 + 8 * chunk + at / 16 * 4);  // the codes of 16 values
    uint signs = even_signs((two >> 9 & 0x7fu) | (two >> 25) << 8), s = block[66 + chunk] >> (at / 16 * 4);
    float scale = d * (to_float<1>(s & 15u) + 0.5f) * 0.25f;
    return negate<W>(scale * iq2_levels<W>(pairs<W>(*this, chunk, at)), signs >> (at % 16));
  }
};
