// The GPU's side of scripts/bench: what the hardware does at best, the textbook kernel, and the library's session called
// from C. Each line of standard input names one; the answer is a line with the microseconds of a run, or a text.
//
//   launch            a kernel that does nothing, by the GPU's clock
//   sync              the same and the wait for it, by the host's clock
//   copy BYTES        a copy of BYTES within the GPU's memory, by the GPU's clock
//   fill BYTES        a fill of BYTES
//   flat COUNT        the textbook kernel over COUNT random rows of the file's table
//   session COUNT     `muser_session_run` of one lookup, ids from the host, by the host's clock
//
// Usage: gpu LIBRARY FILE OFFSET ROWS SHADERS FLAT      as native.cpp; SHADERS: the folder, FLAT: flat.metal
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "../swift/Sources/MuserABI/include/muser.h"

namespace {
constexpr uint32_t columns = 6656, block_threads = 256;
constexpr uint64_t row_bytes = columns / 256 * 144, output_bytes = columns * sizeof(float);
enum { pointer_bits = 64, major_attribute = 75, minor_attribute = 76 };

typedef uint64_t Address;
void *library, *driver, *nvrtc, *event[2], *nothing;
uint8_t error[MUSER_ERROR_BYTES];

[[noreturn]] void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

void *symbol(void *from, const char *name) {
  void *address = from ? dlsym(from, name) : nullptr;
  if (!address) fail(name, "not found");
  return address;
}
#define MUSER(name) reinterpret_cast<decltype(&name)>(symbol(library, #name))

/// Calls a function of the driver or the compiler, all of which return 0 when done. It is looked for once.
#define CALL(from, name, ...) \
  [&](auto... values) { \
    static void *function = symbol(from, #name); \
    int status = reinterpret_cast<int (*)(decltype(values)...)>(function)(values...); \
    if (status) fail(#name, std::to_string(status).c_str()); \
  }(__VA_ARGS__)
#define CUDA(name, ...) CALL(driver, name, __VA_ARGS__)

double microseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

/// Microseconds of one run of `work`, by the GPU's own clock.
template <class Work> double event_time(Work work) {
  float milliseconds;
  CUDA(cuEventRecord, event[0], (void *)nullptr);
  work();
  CUDA(cuEventRecord, event[1], (void *)nullptr);
  CUDA(cuEventSynchronize, event[1]);
  CUDA(cuEventElapsedTime, &milliseconds, event[0], event[1]);
  return milliseconds * 1e3;
}

/// Answers with the mean time of some runs of `work`, more of them where they are short.
template <class Work> void by_gpu(Work work) {
  event_time(work);
  int runs = std::clamp(int(3000 / event_time(work)), 3, 100);
  double sum = 0;
  for (int run = 0; run < runs; ++run) sum += event_time(work);
  printf("%.6f\n", sum / runs);
}

/// Answers with the mean time of some runs of `work`, as a program sees it.
template <class Work> void by_host(Work work) {
  constexpr int runs = 200;
  for (int run = 0; run < runs / 10; ++run) work();
  double start = microseconds();
  for (int run = 0; run < runs; ++run) work();
  printf("%.6f\n", (microseconds() - start) / runs);
}

/// The GPU's memory, which grows as it is asked for.
class Memory {
  Address address = 0;
  uint64_t bytes = 0;

public:
  Address at_least(uint64_t count) {
    if (count > bytes) {
      if (address) CUDA(cuMemFree_v2, address);
      CUDA(cuMemAlloc_v2, &address, size_t(bytes = count));
    }
    return address;
  }
} output, other, wanted;

void launch(void *function, uint32_t threads, void **parameters) {
  uint32_t blocks = (threads + block_threads - 1) / block_threads;
  CUDA(cuLaunchKernel, function, blocks, 1u, 1u, block_threads, 1u, 1u, 0u, (void *)nullptr, parameters, (void **)nullptr);
}

/// Compiles a kernel's text for this GPU; the function that launches it.
void *compile(const std::string &text, const char *kernel, const std::string &folder) {
  int major, minor;
  CUDA(cuDeviceGetAttribute, &major, int(major_attribute), 0);
  CUDA(cuDeviceGetAttribute, &minor, int(minor_attribute), 0);
  std::string architecture = "-arch=sm_" + std::to_string(major) + std::to_string(minor), include = "-I" + folder;
  const char *options[] = {"-default-device", "-std=c++20", "--fmad=false", architecture.c_str(), include.c_str()};
  std::string name = std::string("muser_launch<") + kernel + ">";
  void *program, *module, *function;
  CALL(nvrtc, nvrtcCreateProgram, &program, text.c_str(), "flat.cu", 0, (void *)nullptr, (void *)nullptr);
  CALL(nvrtc, nvrtcAddNameExpression, program, name.c_str());
  int status = reinterpret_cast<int (*)(void *, int, const char **)>(symbol(nvrtc, "nvrtcCompileProgram"))(program, 5, options);
  size_t size;
  CALL(nvrtc, nvrtcGetProgramLogSize, program, &size);
  std::string log(size, ' ');
  CALL(nvrtc, nvrtcGetProgramLog, program, log.data());
  if (status) fail("flat.metal", log.c_str());
  const char *entry;
  CALL(nvrtc, nvrtcGetLoweredName, program, name.c_str(), &entry);
  CALL(nvrtc, nvrtcGetCUBINSize, program, &size);
  std::string code(size, ' ');
  CALL(nvrtc, nvrtcGetCUBIN, program, code.data());
  CUDA(cuModuleLoadData, &module, code.data());
  CUDA(cuModuleGetFunction, &function, module, entry);
  return function;
}

std::string read(const char *path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Table {
  const char *file;
  uint64_t rows;
  const uint8_t *bytes;
  std::vector<uint32_t> ids;

  Table(const char *file, uint64_t offset, uint64_t rows) : file(file), rows(rows) {
    void *map = mmap(nullptr, offset + rows * row_bytes, PROT_READ, MAP_SHARED, open(file, O_RDONLY), 0);
    if (map == MAP_FAILED) fail(file, "cannot be mapped");
    bytes = static_cast<const uint8_t *>(map) + offset;
  }

  /// `count` random rows, the same each time.
  const uint32_t *random(uint32_t count) {
    uint64_t state = 1;
    ids.resize(count);
    for (uint32_t &id : ids) id = uint32_t((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % rows;
    return ids.data();
  }

  MuserTable *open_on(const char *device, MuserModel **model) {
    auto text = [](const char *text) { return reinterpret_cast<const uint8_t *>(text); };
    *model = MUSER(muser_model_open)(text(file), 1, text(device), 1, 0, nullptr, error);
    MuserTable *table = *model ? MUSER(muser_table_open)(*model, text("token_embd.weight"), 1, 0, error) : nullptr;
    if (!table) fail(file, reinterpret_cast<char *>(error));
    return table;
  }
};

/// Ends the program where the first row of the textbook kernel is not the library's.
void prove(Table &table, Address values) {
  MuserModel *model;
  std::vector<uint8_t> own(output_bytes), flat(output_bytes);
  MuserTable *rows = table.open_on("cpu", &model);
  MUSER(muser_table_rows)(rows, table.ids.data(), 1, own.data(), error);
  CUDA(cuMemcpyDtoH_v2, (void *)flat.data(), values, size_t(output_bytes));
  if (memcmp(own.data(), flat.data(), output_bytes)) fail("flat.metal", "its values are not the library's");
  MUSER(muser_table_close)(rows), MUSER(muser_model_close)(model);
}

void flat(Table &table, uint32_t count, const char *shaders, const char *source) {
  static void *function = nullptr;
  static Address rows = 0;
  bool first = !function;
  if (first) {
    if (!nvrtc) return void(puts("NVRTC is not here"));
    function = compile(read(source), "muser_flat_q4k", shaders);
    CUDA(cuMemAlloc_v2, &rows, size_t(table.rows * row_bytes));
    CUDA(cuMemcpyHtoD_v2, rows, (const void *)table.bytes, size_t(table.rows * row_bytes));
  }
  uint64_t all = uint64_t(count) * columns;
  if (all > UINT32_MAX) return void(puts("one launch has no more than 2^32 threads"));
  const uint32_t *ids = table.random(count);
  Address id_memory = wanted.at_least(count * 4), target = output.at_least(count * output_bytes);
  CUDA(cuMemcpyHtoD_v2, id_memory, (const void *)ids, size_t(count * 4));
  uint32_t threads = uint32_t(all), per_row = columns;
  MuserEmbeddingArguments arguments = {row_bytes, 0, columns, uint32_t(table.rows), 0, uint32_t(table.rows), 1, 0};
  Address buffers[] = {rows, id_memory, target};
  void *parameters[] = {&threads, &per_row, &arguments, buffers};
  if (first) {
    launch(function, threads, parameters);
    CUDA(cuCtxSynchronize);
    prove(table, target);
  }
  by_gpu([&] { launch(function, threads, parameters); });
}

void session(Table &table, uint32_t count) {
  static MuserModel *model;
  static MuserTable *rows = table.open_on("cuda", &model);
  MuserSession *session = MUSER(muser_session_open)(model, count, 0, error);
  int hidden = session ? MUSER(muser_session_buffer)(session, count * output_bytes, error) : -1;
  if (hidden < 0) fail("session", reinterpret_cast<char *>(error));
  uint32_t number = uint32_t(MUSER(muser_session_table)(session, rows, error));
  uint32_t words[] = {MuserOperationEmbedding, number, 0, uint32_t(hidden)};
  uint32_t step = uint32_t(MUSER(muser_session_record)(session, words, 4, error));
  // Other rows each time, as the other side has them: one row again and again would stay in the GPU's cache.
  uint32_t batches = std::max(uint32_t(table.rows) / count, 2u), turn = 0;
  const uint32_t *ids = table.random(count * batches);
  auto run = MUSER(muser_session_run);
  by_host([&] {
    const uint32_t *batch = ids + turn++ % batches * count;
    if (run(session, step, batch, count, error)) fail("session", reinterpret_cast<char *>(error));
  });
  MUSER(muser_session_close)(session);
}

void start() {
  static const char text[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  void *context, *module;
  int device;
  CUDA(cuInit, 0u);
  CUDA(cuDeviceGet, &device, 0);
  CUDA(cuDevicePrimaryCtxRetain, &context, device);
  CUDA(cuCtxSetCurrent, context);
  CUDA(cuModuleLoadData, &module, (const void *)text);
  CUDA(cuModuleGetFunction, &nothing, module, "nothing");
  for (void *&each : event) CUDA(cuEventCreate, &each, 0u);
}
}

int main(int count, char **argument) {
  if (count < 7) return fprintf(stderr, "usage: gpu LIBRARY FILE OFFSET ROWS SHADERS FLAT\n"), 2;
  library = dlopen(argument[1], RTLD_NOW);
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library || !driver) fail("loading", dlerror());
  for (const char *name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if (!nvrtc) nvrtc = dlopen(name, RTLD_NOW);
  start();
  Table table(argument[2], strtoull(argument[3], nullptr, 10), strtoull(argument[4], nullptr, 10));
  char task[16];
  unsigned long long size = 0;
  for (char line[64]; fgets(line, sizeof line, stdin); fflush(stdout)) {
    if (sscanf(line, "%15s %llu", task, &size) < 1) continue;
    std::string name = task;
    Address to = name == "copy" || name == "fill" ? output.at_least(size) : 0;
    if (name == "launch") by_gpu([] { launch(nothing, 1, nullptr); });
    else if (name == "sync") by_host([] { launch(nothing, 1, nullptr), CUDA(cuCtxSynchronize); });
    else if (name == "fill") by_gpu([&] { CUDA(cuMemsetD32Async, to, 0x3f800000u, size_t(size / 4), (void *)nullptr); });
    else if (name == "flat") flat(table, uint32_t(size), argument[5], argument[6]);
    else if (name == "session") session(table, uint32_t(size));
    else if (name == "copy") {
      Address from = other.at_least(size);
      by_gpu([&] { CUDA(cuMemcpyDtoDAsync_v2, to, from, size_t(size), (void *)nullptr); });
    } else puts("there is no such task");
  }
}
