// NVFP4: 64 values in 36 bytes, in 4 chunks of 16.
//
//   0            4                            36
//   | s: 4 bytes | q: 4 x 8 nibble pairs      |       value = scale · fp4_levels[q]
//
//   s is a float of 4 bits exponent and 3 bits mantissa (UE4M3), halved because the levels are doubled; 0x7F is zero
#pragma once

struct NVFP4 {
  enum : uint { values = 64, bytes = 36, run = 8, planes = 2, widest = 8 };
  device const uchar *block;

  explicit NVFP4(device const uchar *block) : block(block) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    Lanes<uint, W> q = nibbles<W, 4>(block + 4 + 8 * chunk + at, plane);
    return scale(block[chunk]) * to_float<W>(look_up<W>(fp4_levels, q));
  }

  static float scale(uint byte) {
    if (byte == 0x7f) return 0;
    uint exponent = (byte >> 3) & 15u, mantissa = byte & 7u;
    if (exponent == 0) exponent = 1;  // subnormal
    else mantissa |= 8u;
    return to_float<1>(mantissa) * as_type<float>((116 + exponent) << 23);  // 2^(exponent − 11)
  }
};
