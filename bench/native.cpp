// The native side of scripts/bench. Each line of standard input names something; the answer is a line with the
// microseconds that one run of it takes, or a text that says why there are none.
//
//   one TYPE WHO      a row of 6,656 columns, row and output in cache; WHO: decoder, shifted (the decoder, where the
//                     output begins 16 bytes into a cache line, as arrays of JavaScript do), ggml, memset, memcpy
//   rows COUNT WHO    random rows of the file's table; WHO: muser, ggml, memset, memcpy, memset2 (two threads)
//   row muser         always the same row of the file's table, to where arrays of JavaScript begin
//   core NUMBER       nothing; what follows runs on this core, or where it likes after "core all"
//
// Usage: native LIBRARY FILE OFFSET ROWS [LIBGGML]      the file's table is token_embd.weight, Q4_K, at OFFSET bytes
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>
#include "../swift/Sources/MuserABI/include/muser.h"
#include "../swift/Sources/MuserCPU/include/MuserCPU.h"

namespace {
constexpr uint32_t columns = 6656, turn_microseconds = 3000;
constexpr uint64_t row_bytes = columns / 256 * 144, output_bytes = columns * sizeof(float);

void *library, *ggml;
template <class Function> Function *find(void *from, const char *name) {
  return from ? reinterpret_cast<Function *>(dlsym(from, name)) : nullptr;
}
#define MUSER(name) find<decltype(name)>(library, #name)

typedef void Dequantise(const void *row, float *output, int64_t count);

/// ggml's decoder of a type, `dequantize_row_q4_K` for Q4_K.
Dequantise *ggml_of(std::string type) {
  for (char &letter : type)
    if (letter != 'K') letter = char(tolower(letter));
  return find<Dequantise>(ggml, ("dequantize_row_" + type).c_str());
}

double microseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

/// Microseconds of a run of `work`, over `runs` of them.
template <class Work> double time_of(Work work, uint32_t runs) {
  double start = microseconds();
  for (uint32_t run = 0; run < runs; ++run) {
    work();
    asm volatile("" ::: "memory");  // what was written counts, or the compiler would leave a memset out
  }
  return (microseconds() - start) / runs;
}

/// Answers with the time of a run of `work`, over as many as a turn lasts. As many before it fill the caches and wake
/// the core.
template <class Work> void measure(Work work) {
  work();
  double time = time_of(work, 1);
  if (time < turn_microseconds) {
    uint32_t runs = uint32_t(turn_microseconds / std::max(time, 0.05)) + 1;
    time_of(work, runs);
    time = time_of(work, runs);
  }
  printf("%.6f\n", time);
}

/// Memory that begins at a cache line and has been written to, so that the system has given it.
class Memory {
  std::vector<uint8_t> bytes;

public:
  uint8_t *at_least(size_t count) {
    if (bytes.size() < count + 64) bytes.assign(count + 64, 1);
    return reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(bytes.data()) + 63) & ~uintptr_t(63));
  }
} output, other;

/// A second thread, which waits for its part of a memset.
class Helper {
  std::atomic<uint32_t> asked{0}, done{0};
  uint8_t *start = nullptr;
  size_t count = 0;
  std::thread thread{[this] {
    for (uint32_t turn = 0;; done = ++turn) {
      asked.wait(turn);
      memset(start, 0, count);
    }
  }};

public:
  Helper() { thread.detach(); }
  void memset_both(uint8_t *memory, size_t bytes) {
    start = memory + bytes / 2, count = bytes - bytes / 2;
    uint32_t turn = ++asked;
    asked.notify_one();
    memset(memory, 0, bytes / 2);
    while (done != turn) continue;
  }
};

/// Keeps this thread on a core, or on none where there are not so many.
void stay_on(uint32_t core) {
#ifdef __linux__
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (uint32_t each = 0; each < CPU_SETSIZE; ++each)
    if (each == core || core >= CPU_SETSIZE) CPU_SET(each, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
#endif
  puts("1");
}

/// The kernel that the library takes here: of the level that `MUSER_CPU_LEVEL` names, else of the best.
MuserCPUKernel decoder_of(uint32_t type) {
  auto count = MUSER(muser_cpu_level_count);
  auto runs = MUSER(muser_cpu_level_runs);
  auto kernel = MUSER(muser_cpu_embedding);
  auto name = MUSER(muser_cpu_level_name);
  const char *wanted = getenv("MUSER_CPU_LEVEL");
  if (!count || !runs || !kernel || !name) return nullptr;
  MuserCPUKernel best = nullptr;
  for (uint32_t level = 0; level < count(); ++level)
    if (runs(level) && (!wanted || !strcmp(wanted, name(level)))) best = kernel(level, type);
  return best;
}

struct Type {
  const char *name;
  uint32_t id, values, bytes;
};
#define TYPE(type, suffix, id, values, bytes) {#type, id, values, bytes},
const Type types[] = {MUSER_TYPES(TYPE)};

void one(const std::string &name, const std::string &who) {
  auto type = std::find_if(std::begin(types), std::end(types), [&](const Type &each) { return name == each.name; });
  if (type == std::end(types)) return void(puts("there is no such type"));
  uint64_t bytes = uint64_t(columns) / type->values * type->bytes;
  uint8_t *row = other.at_least(output_bytes * 2), *target = output.at_least(output_bytes + 16);
  if (who == "shifted") target += 16;
  // No half-precision scale is infinite or NaN: the second-highest bit of each byte is clear.
  for (uint64_t i = 0; i < bytes; ++i) row[i] = uint8_t(i * 2654435761u >> 13) & 0xbf;
  if (who == "memset") return measure([&] { memset(target, 0, output_bytes); });
  if (who == "memcpy") return measure([&] { memcpy(target, row, output_bytes); });
  if (who == "ggml") {
    auto dequantise = ggml_of(name);
    if (!dequantise) return void(puts("ggml has no decoder of this type"));
    return measure([&] { dequantise(row, reinterpret_cast<float *>(target), columns); });
  }
  MuserCPUKernel kernel = decoder_of(type->id);
  if (!kernel) return void(puts("the library does not export its decoders"));
  uint32_t id = 0, fault[2] = {0, 0xffffffff};
  void *buffers[] = {row, &id, target, fault};
  MuserEmbeddingArguments arguments = {bytes, 0, columns, 1, 0, 1, 1, 0};
  measure([&] { kernel(&arguments, buffers, 0, 1); });
}

/// The table of the file: as the library opens it, and mapped for others.
struct Table {
  const uint8_t *bytes;
  uint64_t rows;
  MuserTable *table;
  decltype(&muser_table_rows) look_up_rows = MUSER(muser_table_rows);
  uint8_t error[MUSER_ERROR_BYTES];

  Table(const char *file, uint64_t offset, uint64_t rows) : rows(rows) {
    auto text = [](const char *text) { return reinterpret_cast<const uint8_t *>(text); };
    MuserModel *model = MUSER(muser_model_open)(text(file), 1, text("cpu"), 1, 0, nullptr, error);
    table = model ? MUSER(muser_table_open)(model, text("token_embd.weight"), 1, 0, error) : nullptr;
    uint64_t length = offset + rows * row_bytes;
    void *map = mmap(nullptr, length, PROT_READ, MAP_SHARED, open(file, O_RDONLY), 0);
    if (!table || map == MAP_FAILED) fprintf(stderr, "%s: %s\n", file, error), exit(1);
    bytes = static_cast<const uint8_t *>(map) + offset;
    for (uint64_t i = 0; i < rows * row_bytes; i += 4096) (void)*const_cast<volatile const uint8_t *>(bytes + i);
  }

  void look_up(const uint32_t *ids, uint32_t count, void *target) {
    if (look_up_rows(table, ids, count, target, error)) fprintf(stderr, "%s\n", error), exit(1);
  }
};

void rows(Table &table, uint32_t count, const std::string &who) {
  static Helper helper;
  std::vector<uint32_t> ids(std::max<size_t>(2 * count, table.rows / count * count));
  uint64_t state = 1, next = 0;
  for (uint32_t &id : ids) id = uint32_t((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % table.rows;
  uint8_t *target = output.at_least(count * output_bytes);
  // Other ids each time: all together they are the whole table.
  auto some = [&] { return ids.data() + next++ % (ids.size() / count) * count; };
  if (who == "memset") return measure([&] { memset(target, 0, count * output_bytes); });
  if (who == "memset2") return measure([&] { helper.memset_both(target, count * output_bytes); });
  if (who == "memcpy") {
    uint8_t *source = other.at_least(count * output_bytes);
    return measure([&] { memcpy(target, source, count * output_bytes); });
  }
  if (who == "muser") return measure([&] { table.look_up(some(), count, target); });
  auto dequantise = ggml_of("Q4_K");
  if (!dequantise) return void(puts("ggml's library is not here"));
  measure([&] {
    const uint32_t *wanted = some();
    for (uint32_t i = 0; i < count; ++i)
      dequantise(table.bytes + wanted[i] * row_bytes, reinterpret_cast<float *>(target + i * output_bytes), columns);
  });
}
}

int main(int count, char **argument) {
  if (count < 5) return fprintf(stderr, "usage: native LIBRARY FILE OFFSET ROWS [LIBGGML]\n"), 2;
  library = dlopen(argument[1], RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  if (count > 5 && !(ggml = dlopen(argument[5], RTLD_NOW))) fprintf(stderr, "%s\n", dlerror());
  Table table(argument[2], strtoull(argument[3], nullptr, 10), strtoull(argument[4], nullptr, 10));
  char task[16], what[16], who[16];
  for (char line[64]; fgets(line, sizeof line, stdin); fflush(stdout)) {
    int words = sscanf(line, "%15s %15s %15s", task, what, who);
    if (words == 3 && !strcmp(task, "one")) one(what, who);
    else if (words == 3 && !strcmp(task, "rows")) rows(table, uint32_t(atoi(what)), who);
    else if (words == 2 && !strcmp(task, "core")) stay_on(strcmp(what, "all") ? atoi(what) : UINT32_MAX);
    else if (words >= 2 && !strcmp(task, "row")) {
      uint32_t id = 42 % table.rows;
      uint8_t *target = output.at_least(output_bytes + 16) + 16;
      measure([&] { table.look_up(&id, 1, target); });
    } else puts("there is no such task");
  }
}
