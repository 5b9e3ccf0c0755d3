// Q4_K: 256 values in 144 bytes, in 4 chunks of 64; a chunk's 32 bytes hold its first 32 values in their low halves
// and its last 32 in their high halves.
//
//   0                     16                             144
//   | header (k_scales.h) | q: 4 x 32 bytes              |       value = (d · scale) · q − dmin · minimum
#pragma once

struct Q4_K {
  enum : uint { values = 256, bytes = 144, run = 32, planes = 2, widest = 32 };
  device const uchar *block;
  KScales head;

  explicit Q4_K(device const uchar *block) : block(block), head(block) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    uint sub = 2 * chunk + plane;
    Lanes<uint, W> q = nibbles<W, 4>(block + 16 + 32 * chunk + at, plane);
    return exact_product_plus<W>(head.scales.at(sub), to_float<W>(q), -head.minimums.at(sub));
  }
};
