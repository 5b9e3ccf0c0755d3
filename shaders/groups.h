// Values whose magnitudes come from a book of vectors: a code of the block names an entry, the entry holds indices.
#pragma once

/// Four groups of 7 signs, one a byte, each completed so that the number of negative ones is even.
inline uint even_signs(uint sevens) {
  uint folded = sevens ^ ((sevens >> 4) & 0x07070707u);
  folded ^= (folded >> 2) & 0x03030303u;
  return sevens | ((folded ^ (folded >> 1)) & 0x01010101u) << 7;
}

/// The lower 28 bits of a word, 7 a byte.
inline uint spread_sevens(uint word) {
  return (word & 0x7fu) | (word << 1 & 0x7f00u) | (word << 2 & 0x7f0000u) | (word << 3 & 0x7f000000u);
}

/// W indices of 2 bits from position `at` of a chunk on. The format says `entry(chunk, group)`, 8 indices.
template <uint W, class Format> inline Lanes<uint, W> pairs(Format format, uint chunk, uint at) {
  uint indices = format.entry(chunk, at / 8) >> (at % 8 * 2);
  if (W > 8) indices |= format.entry(chunk, at / 8 + 1) << 16;
  return fields<W, 2>(indices);
}

/// `low` in the first 8 lanes, `high` in the others.
template <uint W> inline Lanes<uint, W> by_eights(uint low, uint high) {
  Lanes<uint, W> lanes = splat<W>(low);
  for (uint i = 8; i < W; ++i) lanes[i] = high;
  return lanes;
}

/// W indices of 3 bits from position `at` of a chunk on. The format says `entry(chunk, group)`, 4 indices.
template <uint W, class Format> inline Lanes<uint, W> triples(Format format, uint chunk, uint at) {
  uint group = at / 4, low = format.entry(chunk, group), high = 0;
  if (W > 4) low |= format.entry(chunk, group + 1) << 12;
  if (W > 8) high = format.entry(chunk, group + 2) | format.entry(chunk, group + 3) << 12;
  return (by_eights<W>(low, high) >> ((lane_numbers<W>() & 7u) * 3u)) & 7u;
}

/// IQ1: 8 times a digit of −1, 0 or 1 that is raised or, where `down` is set, lowered by an eighth.
template <uint W> inline Lanes<float, W> iq1_levels(Lanes<uint, W> index, Lanes<uint, W> down) {
  return to_float<W>((index << 3) - 7u - (down << 1));
}

/// IQ2: magnitudes 8, 25 and 43.
template <uint W> inline Lanes<float, W> iq2_levels(Lanes<uint, W> index) {
  return to_float<W>(index * 17u + (index >> 1) + 8u);
}
