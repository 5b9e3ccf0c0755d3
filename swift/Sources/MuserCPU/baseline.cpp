// Level 0: what every processor of the architecture has.
#include "levels.h"

#define MUSER_WIDTH 32

#ifdef __x86_64__
#define MUSER_LEVEL muser_baseline
#else
#include <arm_neon.h>
#define MUSER_LEVEL muser_neon
#define MUSER_NATIVE_HALF
#define MUSER_SHUFFLE(table, picks) vqtbl1q_s8(as_type<int8x16_t>(table), as_type<uint8x16_t>(picks))
#endif

namespace MUSER_LEVEL {
namespace {
#include "rows.h"
}
MuserCPUKernel embedding_of(uint32_t type) { return embedding(type); }
MuserCPUKernel rms_norm_of() { return norm_rows; }
}
