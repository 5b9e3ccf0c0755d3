// Runs one kernel after another on data from standard input, so that a script can compare what they write. The table
// ends where memory ends, so that a read past it stops the program; the output lies between two guards.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <string>
#include <vector>
#include "../../swift/Sources/MuserCPU/include/MuserCPU.h"
#include "grid.h"

namespace {
constexpr uint32_t grid = 0xffffffff, guard = 256;

struct Case {
  uint32_t way;  // a CPU level, or `grid`
  uint32_t type;
  MuserEmbeddingArguments arguments;
  uint64_t table_bytes, table_shift;   // bytes between the table's end and the end of memory
  uint64_t output_bytes, output_shift; // bytes between an aligned address and the output
  uint64_t ids, first, end;
};

void read_all(void *to, size_t bytes) {
  if (bytes && fread(to, bytes, 1, stdin) != 1) exit(0);
}

void write_all(const void *from, size_t bytes) { fwrite(from, 1, bytes, stdout); }

/// Memory whose end is the end of what may be read.
struct Bounded {
  size_t size;
  uint8_t *base;
  explicit Bounded(size_t bytes) : size((bytes + 8191) & ~4095ull) {
    base = static_cast<uint8_t *>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + size - 4096, 4096, PROT_NONE);
  }
  ~Bounded() { munmap(base, size); }
  uint8_t *end() const { return base + size - 4096; }
};

const char *name_of(uint32_t type) {
#define NAME(type, suffix, id, values, bytes) \
  case id: return "muser_embedding_" #suffix;
  switch (type) { MUSER_TYPES(NAME) }
  return "";
}

bool run(const Case &c, void *const *buffers) {
  if (c.way != grid) {
    MuserCPUKernel kernel = muser_cpu_embedding(c.way, c.type);
    if (kernel) kernel(&c.arguments, buffers, c.first, c.end);
    return kernel;
  }
  MuserGridKernel kernel = muser_grid_kernel(name_of(c.type));
  uint32_t pieces = muser_embedding_pieces(c.type, c.arguments.columns);
  if (kernel) kernel(&c.arguments, buffers, pieces, c.first * pieces, c.end * pieces);
  return kernel;
}

void serve(const Case &c) {
  Bounded table(c.table_bytes + c.table_shift);
  uint8_t *rows = table.end() - c.table_shift - c.table_bytes;
  std::vector<uint32_t> ids(c.ids);
  std::vector<uint8_t> output(guard * 2 + c.output_bytes + c.output_shift + 64, 0xff);
  uint8_t *aligned = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(output.data()) + 63) & ~uintptr_t(63));
  uint32_t fault[2] = {0, 0xffffffff};
  read_all(rows, c.table_bytes);
  read_all(ids.data(), c.ids * 4);
  void *buffers[] = {rows, ids.data(), aligned + guard + c.output_shift, fault};
  uint32_t ran = run(c, buffers);
  write_all(&ran, 4);
  write_all(fault, 8);
  write_all(aligned + c.output_shift, guard * 2 + c.output_bytes);
  fflush(stdout);
}

/// "name runs" of every level, one a line, then an empty line.
void write_levels() {
  for (uint32_t level = 0; level < muser_cpu_level_count(); ++level)
    printf("%s %d\n", muser_cpu_level_name(level), muser_cpu_level_runs(level));
  printf("\n");
  fflush(stdout);
}
}

int main() {
  write_levels();
  for (Case c;;) {
    read_all(&c, sizeof c);
    serve(c);
  }
}
