// Half precision in integer arithmetic: the same bits everywhere, also where a processor flushes subnormals.
#pragma once

#ifndef MUSER_NATIVE_HALF

/// The value of a half given by its bits.
template <uint W> inline Lanes<float, W> from_half(Lanes<uint, W> bits) {
  typedef Lanes<uint, W> U;
  typedef Lanes<float, W> F;
  U magnitude = bits & 0x7fffu;
  U small = below<W>(magnitude, splat<W>(0x400u));  // zero or subnormal: 2^-14 is added to it and taken off again
  U special = below<W>(splat<W>(0x7bffu), magnitude);  // infinite or NaN: the largest exponent here as there
  U raised = (magnitude << 13) + (112u << 23) + (special & (112u << 23)) + (small & (1u << 23));
  F value = as_type<F>(raised) - as_type<F>(small & (113u << 23));
  return as_type<F>(as_type<U>(value) | ((bits & 0x8000u) << 16));
}

/// The bits of the nearest half, of two equally near the even one.
template <uint W> inline Lanes<uint, W> to_half(Lanes<float, W> value) {
  typedef Lanes<uint, W> U;
  typedef Lanes<float, W> F;
  U bits = as_type<U>(value);
  U magnitude = bits & 0x7fffffffu;
  U normal = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  U subnormal = as_type<U>(as_type<F>(magnitude) + 0.5f) - (126u << 23);  // the addition rounds to multiples of 2^-24
  U small = below<W>(magnitude, splat<W>(113u << 23));
  U large = below<W>(splat<W>(0x477fefffu), magnitude);
  U nan = below<W>(splat<W>(0x7f800000u), magnitude);
  U half_bits = (subnormal & small) | (normal & (small ^ 0xffffffffu));
  half_bits = (half_bits & (large ^ 0xffffffffu)) | (0x7c00u & large) | (0x0200u & nan);
  return half_bits | ((bits >> 16) & 0x8000u);
}

#endif

/// The value of the half at an even address.
inline float half_at(device const uchar *at) { return from_half<1>(load<ushort, 1>(at)); }
