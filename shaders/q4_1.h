// Q4_1: 32 values in 20 bytes.
//
//   0       2       4                    20
//   | d f16 | m f16 | q: 16 nibble pairs |       value = d · q + m
#pragma once

struct Q4_1 {
  enum : uint { values = 32, bytes = 20, run = 16, planes = 2, widest = 16 };
  device const uchar *block;
  float d, m;

  explicit Q4_1(device const uchar *block) : block(block), d(half_at(block)), m(half_at(block + 2)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    return exact_product_plus<W>(d, to_float<W>(nibbles<W, 4>(block + 4 + at, plane)), m);
  }
};
