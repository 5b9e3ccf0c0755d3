// Q5_K: 256 values in 176 bytes, in 4 chunks of 64; a chunk's 32 bytes hold its first 32 values in their low halves and
// its last 32 in their high halves.
//
//   0                     16            48                            176
//   | header (k_scales.h) | h: 32 bytes | q: 4 x 32 bytes             |
//
//   bit 2 · chunk + plane of h[at] is the fifth bit of a value
//   value = (d · scale) · (q + 16 h) − dmin · minimum
#pragma once

struct Q5_K {
  enum : uint { values = 256, bytes = 176, run = 32, planes = 2, widest = 32 };
  device const uchar *block;
  KScales head;

  explicit Q5_K(device const uchar *block) : block(block), head(block) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    uint sub = 2 * chunk + plane;
    Lanes<uint, W> high = (load_bytes<W, 4>(block + 16 + at) >> sub) & 1u;
    Lanes<uint, W> q = nibbles<W, 4>(block + 48 + 32 * chunk + at, plane) | (high << 4);
    return exact_product_plus<W>(head.scales.at(sub), to_float<W>(q), -head.minimums.at(sub));
  }
};
