// F16: one value in 2 bytes.
#pragma once

struct F16 {
  enum : uint { values = 1, bytes = 2, planes = 1, widest = 32 };
  template <uint W> static Lanes<float, W> decode(device const uchar *at) {
    return from_half<W>(load<ushort, W>(at));
  }
};
