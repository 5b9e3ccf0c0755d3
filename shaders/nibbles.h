// Values of 4 bits, two a byte: plane 0 lies in the low halves of a run of bytes, plane 1 in the high halves.
#pragma once

/// W values of a plane from bytes aligned to A.
template <uint W, uint A> inline Lanes<uint, W> nibbles(device const uchar *at, uint plane) {
  return (load_bytes<W, A>(at) >> (4 * plane)) & 15u;
}

/// W bits of `word`, from bit `first` on, each worth 16.
template <uint W> inline Lanes<uint, W> fifth_bits(uint word, uint first) { return fields<W, 1>(word >> first) << 4; }
