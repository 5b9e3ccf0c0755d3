// What this GPU can do at best: a launch that does nothing, a copy within its memory, a fill of it. Medians, by events.
//
//   cc -o limits tests/cuda/limits.c -ldl && ./limits
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { runs = 21 };

static void *driver;
static void *event[2], *function;
static uint64_t from, to;

#define CALL(name, ...) call(((int (*)())dlsym(driver, name))(__VA_ARGS__), name)
static void call(int status, const char *name) {
  if (status) fprintf(stderr, "%s: %d\n", name, status), exit(1);
}

static void nothing(size_t bytes) { CALL("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL); }
static void copy(size_t bytes) { CALL("cuMemcpyDtoDAsync_v2", to, from, bytes, NULL); }
static void fill(size_t bytes) { CALL("cuMemsetD32Async", to, 0x3f800000, bytes / 4, NULL); }

static int ascending(const void *a, const void *b) {
  return (*(float *)a > *(float *)b) - (*(float *)a < *(float *)b);
}

static double microseconds(void (*work)(size_t), size_t bytes) {
  float times[runs];
  for (int run = 0; run < runs; ++run) {
    CALL("cuEventRecord", event[0], NULL);
    work(bytes);
    CALL("cuEventRecord", event[1], NULL);
    CALL("cuEventSynchronize", event[1]);
    CALL("cuEventElapsedTime", times + run, event[0], event[1]);
  }
  qsort(times, runs, sizeof *times, ascending);
  return times[runs / 2] * 1e3;
}

int main(void) {
  static const char text[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry nothing() { ret; }\n";
  driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return fprintf(stderr, "%s\n", dlerror()), 1;
  int device;
  void *context, *module;
  CALL("cuInit", 0);
  CALL("cuDeviceGet", &device, 0);
  CALL("cuDevicePrimaryCtxRetain", &context, device);
  CALL("cuCtxSetCurrent", context);
  CALL("cuModuleLoadData", &module, text);
  CALL("cuModuleGetFunction", &function, module, "nothing");
  CALL("cuEventCreate", event, 0), CALL("cuEventCreate", event + 1, 0);
  // Bytes that 65,536 rows of a Q4_K table of 6,656 columns read and write: half of them are read by a copy.
  size_t written = 65536ull * 6656 * 4, moved = written + 65536ull * (6656 / 256 * 144 + 4);
  CALL("cuMemAlloc_v2", &from, written), CALL("cuMemAlloc_v2", &to, written);
  fill(written);
  double copied = microseconds(copy, moved / 2), filled = microseconds(fill, written);
  printf("launch of nothing       %8.1f us\n", microseconds(nothing, 0));
  printf("copy of %zu MB     %8.1f us  %5.0f GB/s read and written\n", moved / 2000000, copied, moved / copied / 1e3);
  printf("fill of %zu MB    %8.1f us  %5.0f GB/s\n", written / 1000000, filled, written / filled / 1e3);
  return 0;
}
