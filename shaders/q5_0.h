// Q5_0: 32 values in 22 bytes.
//
//   0       2                       6                    22
//   | d f16 | h: fifth bits, 32     | q: 16 nibble pairs |       value = d · (q + 16 h − 16)
#pragma once

struct Q5_0 {
  enum : uint { values = 32, bytes = 22, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d;
  uint fifth;

  explicit Q5_0(device const uchar *block) : block(block), d(half_at(block)), fifth(load_word<2>(block + 2)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    Lanes<uint, W> q = nibbles<W, 2>(block + 6 + at, plane) | fifth_bits<W>(fifth, 16 * plane + at);
    return d * to_float<W>(q - 16u);
  }
};
