// IQ4_XS: 256 values in 136 bytes, in 8 chunks of 32.
//
//   0       2          4            8                              136
//   | d f16 | high u16 | low: 4     | q: 8 x 16 nibble pairs       |
//
//   chunk i has a scale of 6 bits: nibble i of low, then pair i of high
//   value = (d · (scale − 32)) · iq4_levels[q]
#pragma once

struct IQ4_XS {
  enum : uint { values = 256, bytes = 136, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;
  uint high, low;

  explicit IQ4_XS(device const uchar *block)
      : block(block), d(half_at(block)), high(load<ushort, 1>(block + 2)), low(load_word<4>(block + 4)) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    uint scale = ((low >> (4 * chunk)) & 15u) | ((high >> (2 * chunk)) & 3u) << 4;
    Lanes<uint, W> q = nibbles<W, 4>(block + 8 + 16 * chunk + at, plane);
    return (d * to_float<1>(scale - 32u)) * to_float<W>(look_up<W>(iq4_levels, q));
  }
};
