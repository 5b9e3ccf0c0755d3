// The header that Q4_K and Q5_K share: 16 bytes with d, dmin and a 6-bit scale and minimum for each of 8 sub-blocks.
//
//   0       2          4          8          12         16
//   | d f16 | dmin f16 | a a a a  | b b b b  | c c c c  |
//
//   sub-blocks 0-3: scale = a & 63, minimum = b & 63
//   sub-blocks 4-7: scale = c & 15 | a >> 6 << 4, minimum = c >> 4 | b >> 6 << 4
#pragma once

/// Eight bytes, given as two words, times a factor. A CPU decodes whole blocks, so it multiplies all of them at once; a
/// GPU's thread only those that it needs, and it would keep an array in memory.
struct EightProducts {
#if MUSER_WIDTH > 4
  float products[8];

  EightProducts(float factor, uint low, uint high) {
    Lanes<float, 4> first = factor * to_float<4>(fields<4, 8>(low)), last = factor * to_float<4>(fields<4, 8>(high));
    __builtin_memcpy(products, &first, sizeof first);
    __builtin_memcpy(products + 4, &last, sizeof last);
  }
  float at(uint i) const { return products[i]; }
#else
  float factor;
  uint low, high;

  EightProducts(float factor, uint low, uint high) : factor(factor), low(low), high(high) {}
  float at(uint i) const { return factor * to_float<1>(((i < 4 ? low : high) >> (i % 4 * 8)) & 255u); }
#endif
};

struct KScales {
  EightProducts scales, minimums;  // d · scale, dmin · minimum

  explicit KScales(device const uchar *block) : KScales(load<uint, 4>(block)) {}
  explicit KScales(Lanes<uint, 4> head)
      : scales(from_half<1>(head[0] & 0xffffu), head[1] & 0x3f3f3f3fu,
               (head[3] & 0x0f0f0f0fu) | ((head[1] >> 2) & 0x30303030u)),
        minimums(from_half<1>(head[0] >> 16), head[2] & 0x3f3f3f3fu,
                 ((head[3] >> 4) & 0x0f0f0f0fu) | ((head[2] >> 2) & 0x30303030u)) {}
};
