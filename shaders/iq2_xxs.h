// IQ2_XXS: 256 values in 66 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0       2                                     66
//   | d f16 | 8 x ( code: 4 bytes | signs u32 )   |
//
//   signs: 7 bits a group, the eighth completes an even number; the upper 4 bits are the chunk's scale
//   value = d · (scale + 1/2) / 4 · magnitude, negated where its sign is set
#pragma once

struct IQ2_XXS {
  enum : uint { values = 256, bytes = 66, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ2_XXS(device const uchar *block) : block(block), d(half_at(block)) {}

  uint entry(uint chunk, uint group) const { return iq2_xxs_book[block[2 + 8 * chunk + group]]; }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint word = load_word<2>(block + 6 + 8 * chunk), signs = even_signs(spread_sevens(word));
    float scale = d * (to_float<1>(word >> 28) + 0.5f) * 0.25f;
    return negate<W>(scale * iq2_levels<W>(pairs<W>(*this, chunk, at)), signs >> at);
  }
};
