// Values that come in groups of 8: a code names a vector of magnitudes in a book, a byte holds their signs.
#pragma once

/// A byte of 7 signs, completed so that the number of negative ones is even.
inline uint even_signs(uint signs) {
  uint folded = (signs ^ (signs >> 4)) & 15u;
  return signs | ((0x6996u >> folded) & 1u) << 7;
}

/// IQ2: magnitudes 8, 25 and 43, as pairs of bits.
template <uint W> inline Lanes<float, W> iq2_levels(uint code) {
  Lanes<uint, W> q = fields<W, 2>(code);
  return to_float<W>(8u + q * 17u + (q >> 1));
}

/// IQ1: −1, 0 and 1, as pairs of bits, raised by an eighth or, where `down` is 1, lowered by it.
template <uint W> inline Lanes<float, W> iq1_levels(uint code, uint down) {
  return to_float<W>(fields<W, 2>(code) - 1u) + (down ? -0.125f : 0.125f);
}

/// W values from position `at` of a chunk of 32 on. A format of this family says `code(chunk, group)` (8 pairs of bits),
/// `signs(chunk, group)` and `scale(chunk, at)`, which holds for 16 values.
template <uint W, class Format> inline Lanes<float, W> iq2_values(Format format, uint chunk, uint at) {
  uint group = at / 8;
  uint code = format.code(chunk, group) >> (at % 8 * 2), signs = format.signs(chunk, group) >> (at % 8);
  if (W > 8) {
    code |= format.code(chunk, group + 1) << 16;
    signs |= format.signs(chunk, group + 1) << 8;
  }
  return negate<W>(format.scale(chunk, at) * iq2_levels<W>(code), signs);
}
