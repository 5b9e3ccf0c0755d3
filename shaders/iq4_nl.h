// IQ4_NL: 32 values in 18 bytes.
//
//   0       2                    18
//   | d f16 | q: 16 nibble pairs |       value = d · iq4_levels[q]
#pragma once

struct IQ4_NL {
  enum : uint { values = 32, bytes = 18, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit IQ4_NL(device const uchar *block) : block(block), d(half_at(block)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    return d * to_float<W>(look_up<W>(iq4_levels, nibbles<W, 2>(block + 2 + at, plane)));
  }
};
