// The kernels as C++ at a GPU's width, with what a validation layer knows of them.
#pragma once
#include "../../../../tests/kernels/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MuserKernel {
  const char *name;
  MuserGridKernel run;
  uint32_t argument_bytes;
  uint32_t buffer_count;
  uint32_t group;         // threads that work together, whose first runs for all; 1 where each works alone
  uint8_t alignments[8];  // of the type that each buffer holds
} MuserKernel;

/// The kernel called `name`; NULL where there is none.
const MuserKernel *muser_kernel(const char *name);

#ifdef __cplusplus
}
#endif
