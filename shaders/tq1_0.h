// TQ1_0: 256 values in 54 bytes; a byte holds 5 digits of base 3 as the fraction byte / 256 = 0.ttttt.
//
//   0                32         48        52      54
//   | a: 32 bytes    | b: 16    | c: 4    | d f16 |
//
//   chunks of 16:  0 to 9   digit chunk / 2 of a[16 · (chunk mod 2) …]
//                  10 to 14 digit chunk − 10 of b
//                  15       digits 0 to 3 of c, one after the other
//   value = d · (digit − 1)
#pragma once

struct TQ1_0 {
  enum : uint { values = 256, bytes = 54, run = 128, planes = 2, widest = 16 };
  device const uchar *block;
  float d;

  explicit TQ1_0(device const uchar *block) : block(block), d(half_at(block + 52)) {}

  template <uint W> Lanes<float, W> decode(uint, uint plane, uint at) const {
    uint chunk = 8 * plane + at / 16;
    at %= 16;
    if (chunk == 15) {
      Lanes<uint, W> lanes = lane_numbers<W>(), powers;
      for (uint i = 0; i < W; ++i) powers[i] = power((at + i) / 4);
      return digits<W>(splat<W>(load_word<2>(block + 48)) >> ((lanes & 3u) * 8u), powers);
    }
    uint first = chunk < 10 ? chunk % 2 * 16 : 32, digit = chunk < 10 ? chunk / 2 : chunk - 10;
    return digits<W>(load_bytes<W, 2>(block + first + at), splat<W>(power(digit)));
  }

  /// Moves the digit before the point, then takes the next one: what is before the point is lost in 8 bits.
  template <uint W> Lanes<float, W> digits(Lanes<uint, W> bytes, Lanes<uint, W> powers) const {
    return d * to_float<W>(((((bytes & 255u) * powers) & 255u) * 3u >> 8) - 1u);
  }

  /// 3^i for i up to 4.
  static uint power(uint i) { return i < 4 ? (0x1b090301u >> (8 * i)) & 255u : 81u; }
};
