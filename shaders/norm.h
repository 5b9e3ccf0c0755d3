// Root-mean-square normalisation of rows: y = x / sqrt(mean(x²) + epsilon).
#pragma once

/// One row, shared by MUSER_NORM_THREADS threads. Each thread sums every MUSER_NORM_THREADS-th square in order, then the
/// sums are added in halves: one fixed tree of additions, so that a row has the same bits on every device and in every
/// batch.
inline void rms_norm(uint own, constant MuserRMSNormArguments &arguments, device const float *row, device float *output,
                     threadgroup float *sums) {
  uint columns = arguments.columns;
  for_each_thread(i, own, MUSER_NORM_THREADS) sums[i] = 0;
  for (uint first = 0; first < columns; first += MUSER_NORM_THREADS)
    for_each_thread(i, own, columns - first < MUSER_NORM_THREADS ? columns - first : MUSER_NORM_THREADS) {
      float value = row[first + i];
      sums[i] = sums[i] + value * value;
    }
  for (uint step = MUSER_NORM_THREADS / 2; step > 0; step /= 2) {
    threads_meet();
    for_each_thread(i, own, step) sums[i] = sums[i] + sums[i + step];
  }
  threads_meet();
  float root = sqrt(sums[0] / float(columns) + arguments.epsilon);
  for (uint first = 0; first < columns; first += MUSER_NORM_THREADS)
    for_each_thread(i, own, columns - first < MUSER_NORM_THREADS ? columns - first : MUSER_NORM_THREADS)
      output[first + i] = row[first + i] / root;
}
