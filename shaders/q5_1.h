// Q5_1: 32 values in 24 bytes.
//
//   0       2       4                       8                    24
//   | d f16 | m f16 | h: fifth bits, 32     | q: 16 nibble pairs |       value = d · (q + 16 h) + m
#pragma once

struct Q5_1 {
  enum : uint { values = 32, bytes = 24, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d, m;
  uint fifth;

  explicit Q5_1(device const uchar *block)
      : block(block), d(half_at(block)), m(half_at(block + 2)), fifth(load_word<4>(block + 4)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    Lanes<uint, W> q = nibbles<W, 4>(block + 8 + at, plane) | fifth_bits<W>(fifth, 16 * plane + at);
    return exact_product_plus<W>(d, to_float<W>(q), m);
  }
};
