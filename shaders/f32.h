// F32: one value in 4 bytes, moved as an integer so that no device flushes a subnormal.
#pragma once

struct F32 {
  enum : uint { values = 1, bytes = 4, planes = 1, widest = 32 };
  template <uint W> static Lanes<float, W> decode(device const uchar *at) {
    return as_type<Lanes<float, W>>(load<uint, W>(at));
  }
};
