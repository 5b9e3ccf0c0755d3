// IQ3_XXS: 256 values in 98 bytes, in 8 chunks of 32 = 8 groups of 4.
//
//   0       2                66             98
//   | d f16 | code: 64 bytes | signs: 8 u32 |
//
//   signs: 7 bits for 8 values, the eighth completes an even number; the upper 4 bits are the chunk's scale
//   value = d · (scale + 1/2) / 2 · magnitude, negated where its sign is set
//   magnitudes 4, 12, 20, 28, 36, 44, 52, 62, as 3 bits
#pragma once

struct IQ3_XXS {
  enum : uint { values = 256, bytes = 98, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ3_XXS(device const uchar *block) : block(block), d(half_at(block)) {}

  uint entry(uint chunk, uint group) const { return iq3_xxs_book[block[2 + 8 * chunk + group]]; }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    at += 16 * plane;
    uint word = load_word<2>(block + 66 + 4 * chunk), signs = even_signs(spread_sevens(word));
    float scale = d * (to_float<1>(word >> 28) + 0.5f) * 0.5f;
    Lanes<uint, W> index = triples<W>(*this, chunk, at);
    Lanes<uint, W> level = index * 8u + 4u + (((index + 1u) >> 3) << 1);
    return negate<W>(scale * to_float<W>(level), signs >> at);
  }
};
