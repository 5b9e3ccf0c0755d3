// Q2_K: 256 values in 84 bytes, in 2 chunks of 128; a byte of a chunk holds 4 values, 32 apart, lowest bits first.
//
//   0                16               80      82         84
//   | s: 16 bytes    | q: 2 x 32 bytes | d f16 | dmin f16 |
//
//   16 values share a byte of s: scale = s & 15, minimum = s >> 4
//   value = (d · scale) · q − dmin · minimum
#pragma once

struct Q2_K {
  enum : uint { values = 256, bytes = 84, run = 32, planes = 4, widest = 16 };
  device const uchar *block;
  float d, dmin;

  explicit Q2_K(device const uchar *block) : block(block), d(half_at(block + 80)), dmin(half_at(block + 82)) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    uint s = block[8 * chunk + 2 * plane + at / 16];
    Lanes<uint, W> q = (load_bytes<W, 4>(block + 16 + 32 * chunk + at) >> (2 * plane)) & 3u;
    return exact_product_plus<W>(d * to_float<1>(s & 15u), to_float<W>(q), -dmin * to_float<1>(s >> 4));
  }
};
