// Arithmetic on lanes that every decoder shares.
#pragma once

/// 0, 1, 2 … W - 1.
template <uint W> inline Lanes<uint, W> lane_numbers() {
  Lanes<uint, W> lanes;
  for (uint i = 0; i < W; ++i) lanes[i] = i;
  return lanes;
}

/// The W fields of `bits` bits that `word` holds, lowest first.
template <uint W, uint bits> inline Lanes<uint, W> fields(uint word) {
  return (splat<W>(word) >> (lane_numbers<W>() * bits)) & ((1u << bits) - 1);
}

/// The values of integers between -2^24 and 2^24.
template <uint W> inline Lanes<float, W> to_float(Lanes<uint, W> value) {
  return convert<float, W>(as_type<Lanes<int, W>>(value));
}

/// The values of signed bytes.
template <uint W> inline Lanes<uint, W> from_signed_bytes(Lanes<uint, W> bytes) {
  return as_type<Lanes<uint, W>>(as_type<Lanes<int, W>>(bytes << 24) >> 24);
}

/// All ones where a < b, for values below 2^31.
template <uint W> inline Lanes<uint, W> below(Lanes<uint, W> a, Lanes<uint, W> b) {
  return as_type<Lanes<uint, W>>(as_type<Lanes<int, W>>(a - b) >> 31);
}

/// Lane i negated where bit i of `signs` is set.
template <uint W> inline Lanes<float, W> negate(Lanes<float, W> value, uint signs) {
  Lanes<uint, W> flips = (splat<W>(signs) << (31u - lane_numbers<W>())) & 0x80000000u;
  return as_type<Lanes<float, W>>(as_type<Lanes<uint, W>>(value) ^ flips);
}

#ifndef MUSER_FUSE
#define MUSER_FUSE
#endif

/// factor · value + addend, where the product is exact: a processor that multiplies and adds at once gets the same bits.
template <uint W> inline Lanes<float, W> exact_product_plus(float factor, Lanes<float, W> value, float addend) {
  MUSER_FUSE
  return factor * value + addend;
}
