// The levels' kernel tables: each is in a file and a namespace of its own, because a template shared between two
// levels would be merged by the linker into one, perhaps with instructions that this processor lacks.
#pragma once
#include "include/MuserCPU.h"

#ifdef __x86_64__
namespace muser_baseline { MuserCPUKernel embedding_of(uint32_t type); MuserCPUKernel rms_norm_of(); }
namespace muser_x86_64_v3 { MuserCPUKernel embedding_of(uint32_t type); MuserCPUKernel rms_norm_of(); }
namespace muser_x86_64_v4 { MuserCPUKernel embedding_of(uint32_t type); MuserCPUKernel rms_norm_of(); }
#else
namespace muser_neon { MuserCPUKernel embedding_of(uint32_t type); MuserCPUKernel rms_norm_of(); }
#endif
