// Which levels there are, and which of them this processor runs.
#include "levels.h"

namespace {
struct Level {
  const char *name;
  bool (*runs)();
  MuserCPUKernel (*embedding)(uint32_t type);
  MuserCPUKernel (*rms_norm)();
};

// Asked for by their features, which older compilers know too; what else a level has came with these.
#define RUNS(feature) (__builtin_cpu_supports(feature) != 0)
#define LEVEL(name, space, runs) {name, [] { return runs; }, space::embedding_of, space::rms_norm_of}

const Level levels[] = {
#ifdef __x86_64__
    LEVEL("baseline", muser_baseline, true),
    LEVEL("x86-64-v3", muser_x86_64_v3, RUNS("avx2") && RUNS("fma") && RUNS("bmi2")),
    LEVEL("x86-64-v4", muser_x86_64_v4,
          RUNS("avx512f") && RUNS("avx512bw") && RUNS("avx512cd") && RUNS("avx512dq") && RUNS("avx512vl")),
#else
    LEVEL("neon", muser_neon, true),
#endif
};
}

uint32_t muser_cpu_level_count(void) { return sizeof levels / sizeof levels[0]; }
const char *muser_cpu_level_name(uint32_t level) { return levels[level].name; }
bool muser_cpu_level_runs(uint32_t level) { return levels[level].runs(); }
MuserCPUKernel muser_cpu_embedding(uint32_t level, uint32_t type) { return levels[level].embedding(type); }
MuserCPUKernel muser_cpu_rms_norm(uint32_t level) { return levels[level].rms_norm(); }
