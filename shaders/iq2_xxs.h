// IQ2_XXS: 256 values in 66 bytes, in 8 chunks of 32 = 4 groups of 8.
//
//   0       2                                     66
//   | d f16 | 8 x ( code: 4 bytes | signs u32 )   |
//
//   signs: 7 bits a group, the eighth completes an even number; the upper 4 bits are the chunk's scale
//   value = d · (scale + 1/2) / 4 · magnitude, negated where its sign is set
#pragma once

struct IQ2_XXS {
  enum : uint { values = 256, bytes = 66, run = 32, planes = 1, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ2_XXS(device const uchar *block) : block(block), d(half_at(block)) {}

  uint word(uint chunk) const { return load_word<2>(block + 6 + 8 * chunk); }
  uint code(uint chunk, uint group) const { return iq2_xxs_book[block[2 + 8 * chunk + group]]; }
  uint signs(uint chunk, uint group) const { return even_signs((word(chunk) >> (7 * group)) & 127u); }
  float scale(uint chunk, uint) const { return d * (to_float<1>(word(chunk) >> 28) + 0.5f) * 0.25f; }

  template <uint W> Lanes<float, W> decode(uint chunk, uint, uint at) const { return iq2_values<W>(*this, chunk, at); }
};
