// Times the CPU levels on one row in cache, beside a memset of the output and, where its library is named, ggml.
// Usage: bench [COLUMNS [PATH of libggml-base.so]]. Prints µs a row: the least of many runs.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <algorithm>
#include <string>
#include <vector>
#include "../../swift/Sources/MuserCPU/include/MuserCPU.h"

namespace {
struct Type {
  const char *name;
  uint32_t id, values, bytes;
};
#define TYPE(type, suffix, id, values, bytes) {#type, id, values, bytes},
const Type types[] = {MUSER_TYPES(TYPE)};

typedef void (*Dequantise)(const void *row, float *output, int64_t columns);

/// ggml's decoder of a type, `dequantize_row_q4_K` for Q4_K; null where it has none.
Dequantise ggml_of(void *library, const Type &type) {
  std::string name = type.name;
  for (char &letter : name)
    if (letter != 'K') letter = char(tolower(letter));
  return library ? reinterpret_cast<Dequantise>(dlsym(library, ("dequantize_row_" + name).c_str())) : nullptr;
}

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

/// µs that `work` takes: the least of as many runs as fit into 50 ms.
template <class Work> double measure(Work work) {
  double best = 1e9;
  for (double until = now() + 5e4; now() < until;) {
    double start = now();
    work();
    best = std::min(best, now() - start);
  }
  return best;
}

void bench(const Type &type, uint32_t columns, Dequantise ggml) {
  uint64_t row_bytes = uint64_t(columns) / type.values * type.bytes;
  std::vector<uint8_t> table(row_bytes);
  for (size_t i = 0; i < table.size(); ++i) table[i] = uint8_t(i * 2654435761u >> 13) & 0x3f;
  std::vector<uint8_t> memory(columns * sizeof(float) + 64);
  uint32_t id = 0, fault[2] = {0, 0xffffffff};
  void *output = reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t(63));
  void *buffers[] = {table.data(), &id, output, fault};
  MuserEmbeddingArguments arguments = {row_bytes, 0, columns, 1, 0, 1, 1, 0};
  printf("%-8s", type.name);
  double time = 0;
  for (uint32_t level = 0; level < muser_cpu_level_count() && muser_cpu_level_runs(level); ++level) {
    time = measure([&] { muser_cpu_embedding(level, type.id)(&arguments, buffers, 0, 1); });
    printf("  %s %6.3f", muser_cpu_level_name(level), time);
  }
  printf("  memset %6.3f", measure([&] { memset(output, 0, columns * sizeof(float)); }));
  if (ggml) {
    double theirs = measure([&] { ggml(table.data(), static_cast<float *>(output), columns); });
    printf("  ggml %6.3f = %.2f x", theirs, theirs / time);
  }
  printf("\n");
}
}

int main(int count, char **argument) {
  uint32_t columns = count > 1 ? uint32_t(atoi(argument[1])) : 6656;
  void *library = count > 2 ? dlopen(argument[2], RTLD_NOW) : nullptr;
  if (count > 2 && !library) printf("%s\n", dlerror());
  for (const Type &type : types) bench(type, columns, ggml_of(library, type));
}
