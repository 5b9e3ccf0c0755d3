// MXFP4: 32 values in 17 bytes, so every second block has an odd address.
//
//   0   1                    17
//   | e | q: 16 nibble pairs |       value = 2^(e − 128) · fp4_levels[q]
#pragma once

struct MXFP4 {
  enum : uint { values = 32, bytes = 17, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  uint exponent;

  explicit MXFP4(device const uchar *block) : block(block), exponent(block[0]) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    Lanes<uint, W> level = look_up<W>(fp4_levels, nibbles<W, 1>(block + 1 + at, plane));
    if (exponent < 2) return subnormal<W>(level);
    return as_type<float>((exponent - 1) << 23) * to_float<W>(level);
  }

  /// The same for exponents whose power is subnormal, in integers. The value is a number of steps of 2^-149: up to
  /// 2^24 of them the bits count single steps, then pairs, then fours.
  template <uint W> Lanes<float, W> subnormal(Lanes<uint, W> level) const {
    Lanes<uint, W> negative = below<W>(level, splat<W>(0u));
    Lanes<uint, W> steps = ((level ^ negative) - negative) << (21 + exponent);
    Lanes<uint, W> bits = steps - (excess<W>(steps, 1u << 24) >> 1) - (excess<W>(steps, 1u << 25) >> 2);
    return as_type<Lanes<float, W>>(bits | (negative & 0x80000000u));
  }

  /// By how much values lie above a limit.
  template <uint W> static Lanes<uint, W> excess(Lanes<uint, W> value, uint limit) {
    return below<W>(splat<W>(limit), value) & (value - limit);
  }
};
