// The entry norm: every row divided by its own root mean square.
#include "words.h"
#include "arguments.h"
#include "norm.h"

kernel void muser_rms_norm(
    uint2 position [[thread_position_in_grid]],                  // thread of the row, row
    constant MuserRMSNormArguments &arguments [[buffer(0)]],
    device const float *input [[buffer(1)]],                     // [rows, columns]
    device float *output [[buffer(2)]]) {                        // [rows, columns], may be the input
  threadgroup_array(float, sums, MUSER_NORM_THREADS);
  ulong row = ulong(position.y) * arguments.columns;
  rms_norm(position.x, arguments, input + row, output + row, sums);
}
