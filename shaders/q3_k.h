// Q3_K: 256 values in 110 bytes, in 2 chunks of 128; a byte of a chunk holds 4 values, 32 apart, lowest bits first.
//
//   0                32                96            108     110
//   | h: 32 bytes    | q: 2 x 32 bytes | s: 12 bytes | d f16 |
//
//   bit 4 · chunk + plane of h[at] is the third bit of a value
//   16 values share a scale of 6 bits: its low 4 are nibble i of s[0…7] (first all low ones), its high 2 are pair i / 4
//   of s[8 + i mod 4]
//   value = (d · (scale − 32)) · (q + 4 h − 4)
#pragma once

struct Q3_K {
  enum : uint { values = 256, bytes = 110, run = 32, planes = 4, widest = 16 };
  device const uchar *block;
  float d;

  explicit Q3_K(device const uchar *block) : block(block), d(half_at(block + 108)) {}

  float scale(uint i) const {
    uint low = block[96 + i % 8] >> (i / 8 * 4), high = block[104 + i % 4] >> (i / 4 * 2);
    return d * to_float<1>(((low & 15u) | (high & 3u) << 4) - 32u);
  }

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    Lanes<uint, W> low = load_bytes<W, 2>(block + 32 + 32 * chunk + at) >> (2 * plane);
    Lanes<uint, W> high = load_bytes<W, 2>(block + at) >> (4 * chunk + plane);
    return scale(8 * chunk + 2 * plane + at / 16) * to_float<W>((low & 3u) + ((high & 1u) << 2) - 4u);
  }
};
