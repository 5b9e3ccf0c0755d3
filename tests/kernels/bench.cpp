// Times the CPU levels, one row after another, beside what the memory allows and, where its library is named, ggml.
// Usage: bench [COLUMNS] [PATH of libggml-base.so]. Prints µs a row: the least of many runs.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <algorithm>
#include <vector>
#include "../../swift/Sources/MuserCPU/include/MuserCPU.h"

namespace {
typedef void (*Dequantise)(const void *row, float *output, int64_t columns);

struct Type {
  const char *name, *ggml;
  uint32_t id, values, bytes;
};
#define TYPE(type, suffix, id, values, bytes) {#type, "dequantize_row_" #suffix, id, values, bytes},
const Type types[] = {MUSER_TYPES(TYPE)};

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

/// µs a row of `work`, which does `rows` rows: the least of many runs.
template <class Work> double measure(size_t rows, Work work) {
  double best = 1e9, until = now() + 5e4;
  for (int run = 0; run < 5 || now() < until; ++run) {
    double start = now();
    work();
    best = std::min(best, now() - start);
  }
  return best / rows;
}

/// ggml's dequantiser of a type: its names have the type's own spelling, in lower case.
Dequantise ggml_of(void *library, const Type &type) {
  char name[64] = "dequantize_row_";
  for (size_t i = 0; i <= strlen(type.name); ++i)
    name[strlen("dequantize_row_") + i] = char(type.name[i] >= 'A' && type.name[i] <= 'Z' ? type.name[i] + 32 : type.name[i]);
  for (char *at = name + strlen("dequantize_row_"); *at; ++at)
    if (at[0] == '_' && at[1] == 'k') at[1] = 'K';
  return library ? reinterpret_cast<Dequantise>(dlsym(library, name)) : nullptr;
}

void bench(const Type &type, uint32_t columns, size_t rows, size_t table_rows, Dequantise ggml) {
  uint64_t row_bytes = uint64_t(columns) / type.values * type.bytes;
  std::vector<uint8_t> table(row_bytes * table_rows);
  for (size_t i = 0; i < table.size(); ++i) table[i] = uint8_t(i * 2654435761u >> 13) & 0x3f;
  std::vector<uint32_t> ids(rows);
  for (size_t i = 0; i < rows; ++i) ids[i] = uint32_t(i * 2654435761u % table_rows);
  std::vector<float> output(rows * columns + 16);
  uint32_t fault[2] = {0, 0xffffffff};
  MuserEmbeddingArguments arguments = {row_bytes, 0, columns, uint32_t(table_rows), 0, uint32_t(table_rows), 1, 0};
  float *aligned = reinterpret_cast<float *>((reinterpret_cast<uintptr_t>(output.data()) + 63) & ~uintptr_t(63));
  void *buffers[] = {table.data(), ids.data(), aligned, fault};
  printf("%-8s %6zu", type.name, rows);
  double least = 1e9;
  for (uint32_t level = 0; level < muser_cpu_level_count(); ++level) {
    if (!muser_cpu_level_runs(level)) continue;
    MuserCPUKernel kernel = muser_cpu_embedding(level, type.id);
    double time = measure(rows, [&] { kernel(&arguments, buffers, 0, rows); });
    printf("  %s %6.3f", muser_cpu_level_name(level), time);
    least = time;
  }
  double set = measure(rows, [&] { memset(aligned, 0, rows * columns * 4); });
  printf("  memset %6.3f", set);
  if (ggml) {
    double time = measure(rows, [&] {
      for (size_t i = 0; i < rows; ++i) ggml(table.data() + ids[i] * row_bytes, aligned + i * columns, columns);
    });
    printf("  ggml %6.3f = %.2f x", time, time / least);
  }
  printf("\n");
}
}

int main(int count, char **argument) {
  uint32_t columns = count > 1 ? uint32_t(atoi(argument[1])) : 6656;
  void *library = count > 2 ? dlopen(argument[2], RTLD_NOW) : nullptr;
  for (const Type &type : types) {
    bench(type, columns, 1, 1, ggml_of(library, type));
    if (count > 3) bench(type, columns, 512, 20000, ggml_of(library, type));
  }
}
