// The textbook lookup, which the product's kernel is measured beside: one thread a value, each of which reads its
// block's header for itself.
#include "words.h"
#include "arguments.h"
#include "lanes.h"
#include "memory.h"
#include "half.h"

/// Scale and minimum of one of the 8 groups of 32 values: 6 bits each, the upper two of groups 4 to 7 beside others.
inline uint2 group_scales(device const uchar *scales, uint group) {
  uint own = scales[group], after = scales[group + 4];
  if (group < 4) return uint2{own & 63, after & 63};
  uint before = scales[group - 4];
  return uint2{(after & 15) | (before >> 6 << 4), (after >> 4) | (own >> 6 << 4)};
}

kernel void muser_flat_q4k(uint2 position [[thread_position_in_grid]],  // value, row
                           constant MuserEmbeddingArguments &arguments [[buffer(0)]],
                           device const uchar *table [[buffer(1)]],     // [rows, row_bytes]
                           device const uint *ids [[buffer(2)]],        // [rows of the output]
                           device float *output [[buffer(3)]]) {        // [rows of the output, columns]
  uint in_block = position.x % 256, group = in_block / 32;
  device const uchar *block = table + ids[position.y] * arguments.row_bytes + position.x / 256 * 144;
  uint2 scales = group_scales(block + 4, group);
  uint packed = block[16 + group / 2 * 32 + in_block % 32];
  uint nibble = group % 2 == 0 ? packed & 15u : packed >> 4;
  output[ulong(position.y) * arguments.columns + position.x] =
      half_at(block) * float(scales.x) * float(nibble) - half_at(block + 2) * float(scales.y);
}
