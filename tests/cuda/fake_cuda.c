// Stands in for libcuda.so.1 and libnvrtc.so.13, for tests where there is no GPU. It keeps no queue: a copy or launch has
// happened when it returns. Kernels run where they are linked (swift/Tests/MetalKernels), else launches are only noted.
//
// It counts what is made and not destroyed, notes every call, fails the call that it is told to, and can seem busy.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../swift/Tests/MetalKernels/include/MetalKernels.h"

#pragma weak muser_kernel

typedef uint64_t Address;

static int64_t live;           // contexts, modules, memory, streams and events that exist
static int64_t calls_left = -1;  // until the call that fails; -1: none does
static int failure;            // with which status
static int64_t busy;           // queries that find a stream busy; -1: all
static char calls[1 << 16];    // names of the calls, a space after each; "fails" after the one that does

void fake_reset(void) {
  live = busy = 0;
  calls_left = -1;
  calls[0] = 0;
}
void fake_fail(int64_t call, int status) { calls_left = call, failure = status; }
void fake_be_busy(int64_t queries) { busy = queries; }
int64_t fake_live(void) { return live; }
const char *fake_calls(void) { return calls; }

static void note(const char *name) {
  size_t length = strlen(calls);
  if (length + strlen(name) + 2 < sizeof calls) sprintf(calls + length, "%s ", name);
}

/// Notes a call. Its status: 0, or the failure where it is this call's turn.
static int call(const char *name) {
  note(name);
  if (calls_left < 0 || calls_left-- > 0) return 0;
  note("fails");
  return failure;
}

/// A call that makes something, or does something that may fail.
#define TRY(name, ...) \
  int name(__VA_ARGS__) { \
    int status = call(#name); \
    if (status) return status;
/// A call that cannot fail.
#define SURE(name, ...) \
  int name(__VA_ARGS__) { \
    note(#name);
#define END \
  return 0; \
  }

/// Something that counts as alive until `destroy`.
static void *make(size_t bytes) { return ++live, calloc(1, bytes); }
static void destroy(void *thing) { --live, free(thing); }

TRY(cuInit, unsigned flags) END
TRY(cuDriverGetVersion, int *version) *version = 13000; END
SURE(cuGetErrorName, int status, const char **name) *name = status == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE"; END
SURE(cuGetErrorString, int status, const char **text) *text = status == 2 ? "out of memory" : "as the test asked"; END
TRY(cuDeviceGet, int *device, int ordinal) *device = 7; END
TRY(cuDeviceGetName, char *name, int length, int device) snprintf(name, length, "Fake GPU"); END
TRY(cuDeviceTotalMem_v2, size_t *bytes, int device) *bytes = 1 << 30; END
TRY(cuDeviceGetAttribute, int *value, int attribute, int device) *value = attribute == 75 ? 9 : 0; END

TRY(cuDevicePrimaryCtxRetain, void **context, int device) *context = &live, ++live; END
SURE(cuDevicePrimaryCtxRelease_v2, int device) --live; END
SURE(cuCtxSetCurrent, void *context) END

TRY(cuModuleLoadData, void **module, const void *image) *module = make(1); END
SURE(cuModuleUnload, void *module) destroy(module); END

/// The kernel that an entry launches: `muser_launch<muser_embedding_q4k>`, mangled or not.
TRY(cuModuleGetFunction, void **function, void *module, const char *entry)
  const char *kernel = strstr(strstr(entry, "muser_launch") + 1, "muser_");
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strspn(kernel, "abcdefghijklmnopqrstuvwxyz0123456789_"), kernel);
  *function = muser_kernel ? (void *)muser_kernel(name) : (void *)&live;
  return *function ? 0 : 500;
}

TRY(cuMemAlloc_v2, Address *address, size_t bytes) *address = (Address)make(bytes); END
SURE(cuMemFree_v2, Address address) destroy((void *)address); END
TRY(cuMemHostAlloc, void **memory, size_t bytes, unsigned flags) *memory = make(bytes); END
SURE(cuMemFreeHost, void *memory) destroy(memory); END
TRY(cuMemHostRegister_v2, void *memory, size_t bytes, unsigned flags) ++live; END
SURE(cuMemHostUnregister, void *memory) --live; END
TRY(cuMemHostGetDevicePointer_v2, Address *address, void *memory, unsigned flags) *address = (Address)memory; END
TRY(cuMemcpyHtoDAsync_v2, Address to, const void *from, size_t bytes, void *stream) memcpy((void *)to, from, bytes); END
TRY(cuMemcpyDtoHAsync_v2, void *to, Address from, size_t bytes, void *stream) memcpy(to, (void *)from, bytes); END

TRY(cuStreamCreate, void **stream, unsigned flags) *stream = make(1); END
SURE(cuStreamDestroy_v2, void *stream) destroy(stream); END
TRY(cuStreamQuery, void *stream)
  if (busy > 0) --busy;
  return busy ? 600 : 0;
}
TRY(cuEventCreate, void **event, unsigned flags) *event = make(1); END
SURE(cuEventDestroy_v2, void *event) destroy(event); END
TRY(cuEventRecord, void *event, void *stream) END
TRY(cuEventElapsedTime, float *milliseconds, void *from, void *to) *milliseconds = 1.5f; END

/// The parameters are those of `muser_launch` in words/cuda.h.
TRY(cuLaunchKernel, void *function, unsigned x, unsigned y, unsigned z, unsigned width, unsigned height, unsigned depth,
    unsigned shared, void *stream, void **parameters, void **extra)
  uint32_t threads = *(uint32_t *)parameters[0], per_row = *(uint32_t *)parameters[1];
  if (!muser_kernel) {
    char text[64];
    snprintf(text, sizeof text, "%ux%u:%u,%u", x, width, threads, per_row);
    note(text);
    return 0;
  }
  const MuserKernel *kernel = function;
  if (kernel->group == 1) kernel->run(parameters[2], parameters[3], per_row, 0, threads);
  // The first of a group's threads runs for all of them.
  else for (uint64_t first = 0; first < threads; first += kernel->group)
    kernel->run(parameters[2], parameters[3], per_row, first, first + 1);
END

TRY(nvrtcVersion, int *major, int *minor) *major = 13, *minor = 0; END
const char *nvrtcGetErrorString(int status) { return "as the test asked"; }
TRY(nvrtcGetNumSupportedArchs, int *count) *count = 2; END
TRY(nvrtcGetSupportedArchs, int *list) list[0] = 80, list[1] = 90; END
TRY(nvrtcCreateProgram, void **program, const char *text, const char *name, int count, const char **headers, const char **names)
  *program = make(256);
END
SURE(nvrtcDestroyProgram, void **program) destroy(*program); END
TRY(nvrtcAddNameExpression, char *program, const char *name) snprintf(program, 256, "%s", name); END
TRY(nvrtcGetLoweredName, char *program, const char *name, const char **lowered) *lowered = program; END
TRY(nvrtcCompileProgram, void *program, int count, const char **options) END
SURE(nvrtcGetProgramLogSize, void *program, size_t *bytes) *bytes = sizeof "x(1): error: fake"; END
SURE(nvrtcGetProgramLog, void *program, char *log) strcpy(log, "x(1): error: fake"); END
TRY(nvrtcGetPTXSize, void *program, size_t *bytes) *bytes = 1; END
TRY(nvrtcGetPTX, void *program, char *text) *text = 0; END
TRY(nvrtcGetCUBINSize, void *program, size_t *bytes) *bytes = 1; END
TRY(nvrtcGetCUBIN, void *program, char *code) *code = 0; END
