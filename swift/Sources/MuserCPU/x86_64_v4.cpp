// Level 2: AVX-512.
#include "levels.h"
#ifdef __x86_64__

#define MUSER_WIDTH 32
#define MUSER_NATIVE_HALF
#define MUSER_SHUFFLE(table, picks) __builtin_ia32_pshufb128(table, picks)

#pragma clang attribute push(__attribute__((target("arch=x86-64-v4"))), apply_to = function)
namespace muser_x86_64_v4 {
namespace {
#include "rows.h"
}
MuserCPUKernel embedding_of(uint32_t type) { return embedding(type); }
MuserCPUKernel rms_norm_of() { return norm_rows; }
}
#pragma clang attribute pop
#endif
