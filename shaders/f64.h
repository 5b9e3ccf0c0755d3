// F64: one value in 8 bytes, narrowed to the nearest f32 (of two equally near the even one) in integer arithmetic,
// because a GPU may have no doubles and may flush subnormals.
#pragma once

struct F64 {
  enum : uint { values = 1, bytes = 8, planes = 1, widest = 1 };
  template <uint W> static float decode(device const uchar *at) {
    return as_type<float>(narrow(load<uint, 1>(at) | ulong(load<uint, 1>(at + 4)) << 32));
  }

  /// The bits of the f32 nearest to the double with these bits.
  static uint narrow(ulong bits) {
    uint sign = uint(bits >> 63) << 31;
    ulong magnitude = bits & 0x7fffffffffffffffUL;
    if (magnitude >= 0x47effffff0000000UL)  // too large, infinite or NaN
      return sign | (magnitude > 0x7ff0000000000000UL ? 0x7fc00000u : 0x7f800000u);
    uint exponent = uint(magnitude >> 52);
    if (exponent > 896) return sign | uint(rounded(magnitude - (896UL << 52), 29));
    if (exponent < 872) return sign;  // below half of the smallest subnormal
    return sign | uint(rounded((magnitude & 0xfffffffffffffUL) | 0x10000000000000UL, 926 - exponent));
  }

  /// value / 2^shift, to the nearest integer.
  static ulong rounded(ulong value, uint shift) {
    ulong half_less = (1UL << (shift - 1)) - 1;
    return (value + half_less + ((value >> shift) & 1)) >> shift;
  }
};
