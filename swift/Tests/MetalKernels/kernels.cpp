#include "MetalKernels.h"
#include "../../../tests/kernels/grid.cpp"

namespace {
#include "../../../shaders/norm.metal"

template <class Arguments, class... Buffers>
constexpr MuserKernel facts(const char *name, MuserGridKernel run, void (*)(uint2, const Arguments &, Buffers *...),
                            uint32_t group = 1) {
  return {name, run, sizeof(Arguments), sizeof...(Buffers), group, {alignof(Buffers)...}};
}

#define FACTS(type, suffix, id, values, bytes) \
  facts("muser_embedding_" #suffix, run<muser_embedding_##suffix>, muser_embedding_##suffix),
const MuserKernel kernels[] = {
    MUSER_TYPES(FACTS) facts("muser_rms_norm", run<muser_rms_norm>, muser_rms_norm, MUSER_NORM_THREADS)};
}

const MuserKernel *muser_kernel(const char *name) {
  for (const MuserKernel &entry : kernels)
    if (strcmp(entry.name, name) == 0) return &entry;
  return nullptr;
}
