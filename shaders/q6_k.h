// Q6_K: 256 values in 210 bytes, in 2 chunks of 128 = 4 planes of 32.
//
//   0                        128              192                208     210
//   | l: 2 x 2 x 32 bytes    | h: 2 x 32 bytes | s: 16 int8      | d f16 |
//
//   planes 0 and 1 lie in the low halves of the chunk's two runs of l, planes 2 and 3 in the high halves; pair `plane`
//   of h[at] is the upper 2 bits; 16 values share a scale
//   value = (d · scale) · (l + 16 h − 32)
#pragma once

struct Q6_K {
  enum : uint { values = 256, bytes = 210, run = 32, planes = 4, widest = 16 };
  device const uchar *block;
  float d;

  explicit Q6_K(device const uchar *block) : block(block), d(half_at(block + 208)) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    Lanes<uint, W> low = nibbles<W, 2>(block + 64 * chunk + 32 * (plane % 2) + at, plane / 2);
    Lanes<uint, W> high = (load_bytes<W, 2>(block + 128 + 32 * chunk + at) >> (2 * plane)) & 3u;
    uint scale = from_signed_bytes<1>(block[192 + 8 * chunk + 2 * plane + at / 16]);
    return (d * to_float<1>(scale)) * to_float<W>((low | (high << 4)) - 32u);
  }
};
