// Q1_0: 128 values in 18 bytes.
//
//   0       2                    18
//   | d f16 | q: 128 bits        |       value = d where the bit is set, else −d
#pragma once

struct Q1_0 {
  enum : uint { values = 128, bytes = 18, run = 64, planes = 2, widest = 32 };
  device const uchar *block;
  float d;

  explicit Q1_0(device const uchar *block) : block(block), d(half_at(block)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    at += 64 * plane;
    uint q = load_word<2>(block + 2 + at / 32 * 4) >> (at % 32);
    return negate<W>(splat<W>(d), q ^ 0xffffffffu);
  }
};
