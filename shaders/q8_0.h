// Q8_0: 32 values in 34 bytes.
//
//   0       2                                34
//   | d f16 | q: 32 signed bytes             |       value = d · q
#pragma once

struct Q8_0 {
  enum : uint { values = 32, bytes = 34, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit Q8_0(device const uchar *block) : block(block), d(half_at(block)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    return d * to_float<W>(from_signed_bytes<W>(load_bytes<W, 2>(block + 2 + 16 * plane + at)));
  }
};
