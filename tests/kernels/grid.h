// The GPU kernels run on a CPU: the same text at the GPU's width, thread by thread.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs the threads [first, end) of a grid that is `width` threads wide: thread i is at (i % width, i / width).
/// Buffers are those that the kernel binds from index 1 on, aligned as a GPU's are (16 bytes).
typedef void (*MuserGridKernel)(const void *arguments, void *const *buffers, uint32_t width, uint64_t first,
                                uint64_t end);
/// The kernel called `name`; NULL where there is none.
MuserGridKernel muser_grid_kernel(const char *name);

#ifdef __cplusplus
}
#endif
