// Runs one kernel after another on data from standard input, so that a script can compare what they write. Memory ends
// where the table ends, so that a read past it stops the program; the output lies between two guards.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <vector>
#include "../../swift/Sources/MuserCPU/include/MuserCPU.h"
#include "grid.h"

namespace {
constexpr uint32_t grid = 0xffffffff, guard = 256, page = 4096;

/// What comes in for a run, before the table's bytes and the ids of rows [first, end).
struct Case {
  uint32_t way;  // a CPU level, or `grid`
  uint32_t type;
  MuserEmbeddingArguments arguments;
  uint64_t table_bytes;   // sent
  uint64_t table_skip;    // empty bytes of the table before them
  uint64_t table_shift;   // bytes between the table's end and the end of memory
  uint64_t output_bytes;  // of rows [first, end)
  uint64_t output_shift;  // bytes between an aligned address and the output
  uint64_t first, end;
};

struct Type {
  const char *name, *kernel;
  uint32_t id, values, bytes;
};
#define TYPE(type, suffix, id, values, bytes) {#type, "muser_embedding_" #suffix, id, values, bytes},
const Type types[] = {MUSER_TYPES(TYPE)};

void read_all(void *to, size_t bytes) {
  if (bytes && fread(to, bytes, 1, stdin) != 1) exit(0);
}

/// Memory whose last byte is the last that may be read.
struct Bounded {
  size_t size;
  uint8_t *base;

  explicit Bounded(size_t bytes) : size((bytes + page - 1) / page * page + page) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED || mprotect(static_cast<uint8_t *>(memory) + size - page, page, PROT_NONE)) abort();
    base = static_cast<uint8_t *>(memory);
  }
  Bounded(const Bounded &) = delete;
  ~Bounded() { munmap(base, size); }
  uint8_t *end() const { return base + size - page; }
};

bool run(const Case &c, void *const *buffers) {
  if (c.way != grid) {
    MuserCPUKernel kernel = muser_cpu_embedding(c.way, c.type);
    if (kernel) kernel(&c.arguments, buffers, c.first, c.end);
    return kernel;
  }
  for (const Type &type : types) {
    if (type.id != c.type) continue;
    uint64_t pieces = muser_embedding_pieces(c.type, c.arguments.columns);
    muser_grid_kernel(type.kernel)(&c.arguments, buffers, uint32_t(pieces), c.first * pieces, c.end * pieces);
    return true;
  }
  return false;
}

void serve(const Case &c) {
  Bounded table(c.table_skip + c.table_bytes + c.table_shift);
  uint8_t *rows = table.end() - c.table_shift - c.table_bytes;
  std::vector<uint32_t> ids(c.end - c.first);
  std::vector<uint8_t> output(guard * 2 + c.output_bytes + c.output_shift + 64, 0xff);
  uint8_t *aligned = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(output.data()) + 63) & ~uintptr_t(63));
  uint8_t *written = aligned + guard + c.output_shift;
  uint32_t fault[2] = {0, 0xffffffff};
  read_all(rows, c.table_bytes);
  read_all(ids.data(), ids.size() * 4);
  // Only rows [first, end) have memory: the buffers begin where row 0 would be.
  uint64_t row_bytes = c.end > c.first ? c.output_bytes / (c.end - c.first) : 0;
  void *buffers[] = {rows - c.table_skip, ids.data() - c.first, written - c.first * row_bytes, fault};
  uint32_t ran = run(c, buffers);
  fwrite(&ran, 4, 1, stdout);
  fwrite(fault, 8, 1, stdout);
  fwrite(ids.data(), 4, ids.size(), stdout);
  fwrite(written - guard, 1, guard * 2 + c.output_bytes, stdout);
  fflush(stdout);
}

/// A line for every level and every type, then an empty line.
void introduce() {
  for (uint32_t level = 0; level < muser_cpu_level_count(); ++level)
    printf("level %s %d\n", muser_cpu_level_name(level), muser_cpu_level_runs(level));
  for (const Type &type : types) printf("type %s %u %u %u\n", type.name, type.id, type.values, type.bytes);
  printf("\n");
  fflush(stdout);
}
}

int main() {
  introduce();
  for (Case c;;) {
    read_all(&c, sizeof c);
    serve(c);
  }
}
