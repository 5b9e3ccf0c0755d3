// BF16: the upper 2 bytes of an F32, moved as an integer so that no device flushes a subnormal.
#pragma once

struct BF16 {
  enum : uint { values = 1, bytes = 2, planes = 1, widest = 32 };
  template <uint W> static Lanes<float, W> decode(device const uchar *at) {
    return as_type<Lanes<float, W>>(load<ushort, W>(at) << 16);
  }
};
