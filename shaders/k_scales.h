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
  uint scales, late_scales, minimums, late_minimums;  // four a word; no arrays, which a GPU would keep in memory

  explicit KScales(device const uchar *block) {
    Lanes<uint, 4> head = load<uint, 4>(block);
    d = from_half<1>(head[0] & 0xffffu);
    dmin = from_half<1>(head[0] >> 16);
    scales = head[1] & 0x3f3f3f3fu;
    minimums = head[2] & 0x3f3f3f3fu;
    late_scales = (head[3] & 0x0f0f0f0fu) | ((head[1] >> 2) & 0x30303030u);
    late_minimums = ((head[3] >> 4) & 0x0f0f0f0fu) | ((head[2] >> 2) & 0x30303030u);
  }

  float scale(uint sub) const { return d * pick(scales, late_scales, sub); }
  float minimum(uint sub) const { return dmin * pick(minimums, late_minimums, sub); }

  static float pick(uint early, uint late, uint sub) {
    return to_float<1>(((sub < 4 ? early : late) >> (sub % 4 * 8)) & 255u);
  }
};
