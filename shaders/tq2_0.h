// TQ2_0: 256 values in 66 bytes, in 2 chunks of 128; a byte of a chunk holds 4 values, 32 apart, lowest bits first.
//
//   0                64      66
//   | q: 2 x 32 bytes | d f16 |       value = d · (q − 1)
#pragma once

struct TQ2_0 {
  enum : uint { values = 256, bytes = 66, run = 32, planes = 4, widest = 32 };
  device const uchar *block;
  float d;

  explicit TQ2_0(device const uchar *block) : block(block), d(half_at(block + 64)) {}

  template <uint W> Lanes<float, W> decode(uint chunk, uint plane, uint at) const {
    Lanes<uint, W> q = (load_bytes<W, 2>(block + 32 * chunk + at) >> (2 * plane)) & 3u;
    return d * to_float<W>(q - 1u);
  }
};
