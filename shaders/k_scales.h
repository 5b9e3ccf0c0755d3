// The header that Q4_K and Q5_K share: 16 bytes with d, dmin and a 6-bit scale and minimum for each of 8 sub-blocks.
//
//   0       2          4          8          12         16
//   | d f16 | dmin f16 | a a a a  | b b b b  | c c c c  |
//
//   sub-blocks 0-3: scale = a & 63, minimum = b & 63
//   sub-blocks 4-7: scale = c & 15 | a >> 6 << 4, minimum = c >> 4 | b >> 6 << 4
#pragma once

struct KScales {
  float d, dmin;
  uint scales[2], minimums[2];  // four a word

  explicit KScales(device const uchar *block) {
    Lanes<uint, 4> head = load<uint, 4>(block);
    d = from_half<1>(head[0] & 0xffffu);
    dmin = from_half<1>(head[0] >> 16);
    scales[0] = head[1] & 0x3f3f3f3fu;
    minimums[0] = head[2] & 0x3f3f3f3fu;
    scales[1] = (head[3] & 0x0f0f0f0fu) | ((head[1] >> 2) & 0x30303030u);
    minimums[1] = ((head[3] >> 4) & 0x0f0f0f0fu) | ((head[2] >> 2) & 0x30303030u);
  }

  float scale(uint sub) const { return d * to_float<1>((scales[sub / 4] >> (sub % 4 * 8)) & 255u); }
  float minimum(uint sub) const { return dmin * to_float<1>((minimums[sub / 4] >> (sub % 4 * 8)) & 255u); }
};
