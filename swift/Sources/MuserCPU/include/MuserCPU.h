// The CPU device's kernels: the shader text compiled at full vector width, once a CPU level.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "../../../../shaders/arguments.h"
#include "../../../../shaders/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Levels compiled in. Level 0 always runs; a later one that runs is faster.
uint32_t muser_cpu_level_count(void);
/// "baseline" or "neon", "x86-64-v3", "x86-64-v4".
const char *muser_cpu_level_name(uint32_t level);
/// Whether this processor has what the level needs.
bool muser_cpu_level_runs(uint32_t level);

/// A kernel over the rows from `first` to before `end` of a dispatch.
/// Buffers of the embedding: table, ids, output, fault (count and first position of clamped ids).
typedef void (*MuserCPUKernel)(const void *arguments, void *const *buffers, uint64_t first, uint64_t end);
/// The embedding kernel of a type at a level; NULL where the type has none.
MuserCPUKernel muser_cpu_embedding(uint32_t level, uint32_t type);

/// The normalisation kernel at a level. Buffers: input, output.
MuserCPUKernel muser_cpu_rms_norm(uint32_t level);

/// How many bytes of output the caches keep for whoever reads it: more than these are written past them.
uint64_t muser_cpu_cache_bytes(void);

/// Threads that share a wide dispatch: as many as there are cores, or MUSER_CPU_THREADS of the environment.
uint32_t muser_cpu_threads(void);
/// Runs a kernel over `rows` rows and returns when it is done: on the calling thread, or in parts on all threads where
/// that pays off and nobody else has them. A row is as much work as `pieces_a_row` of a GPU's threads do.
void muser_cpu_run(MuserCPUKernel kernel, const void *arguments, void *const *buffers, uint64_t rows,
                   uint64_t pieces_a_row);

/// How many threads of a GPU's embedding kernel a row of `columns` values takes; 0 where the type has no kernel.
uint32_t muser_embedding_pieces(uint32_t type, uint32_t columns);

#ifdef __cplusplus
}
#endif
