// Which levels there are, and which of them this processor runs.
#include "levels.h"

namespace {
struct Level {
  const char *name;
  bool (*runs)();
  MuserCPUKernel (*embedding)(uint32_t type);
  MuserCPUKernel (*rms_norm)();
};

const Level levels[] = {
#ifdef __x86_64__
    {"baseline", [] { return true; }, muser_baseline::embedding_of, muser_baseline::rms_norm_of},
    {"x86-64-v3", [] { return __builtin_cpu_supports("x86-64-v3") != 0; }, muser_x86_64_v3::embedding_of, muser_x86_64_v3::rms_norm_of},
    {"x86-64-v4", [] { return __builtin_cpu_supports("x86-64-v4") != 0; }, muser_x86_64_v4::embedding_of, muser_x86_64_v4::rms_norm_of},
#else
    {"neon", [] { return true; }, muser_neon::embedding_of, muser_neon::rms_norm_of},
#endif
};
}

uint32_t muser_cpu_level_count(void) { return sizeof levels / sizeof levels[0]; }
const char *muser_cpu_level_name(uint32_t level) { return levels[level].name; }
bool muser_cpu_level_runs(uint32_t level) { return levels[level].runs(); }
MuserCPUKernel muser_cpu_embedding(uint32_t level, uint32_t type) { return levels[level].embedding(type); }
MuserCPUKernel muser_cpu_rms_norm(uint32_t level) { return levels[level].rms_norm(); }
