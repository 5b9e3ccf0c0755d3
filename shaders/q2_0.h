// Q2_0: 64 values in 18 bytes, 4 neighbours a byte, lowest bits first.
//
//   0       2                    18
//   | d f16 | q: 64 pairs        |       value = d · (q − 1)
#pragma once

struct Q2_0 {
  enum : uint { values = 64, bytes = 18, run = 32, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit Q2_0(device const uchar *block) : block(block), d(half_at(block)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    at += 32 * plane;
    uint q = load_word<2>(block + 2 + at / 16 * 4) >> (at % 16 * 2);
    return d * to_float<W>(fields<W, 2>(q) - 1u);
  }
};
