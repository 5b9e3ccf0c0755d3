// The argument structs that hosts and kernels share: fixed-width fields, the same layout for every compiler.
#pragma once

#ifndef MUSER_KERNEL  // words.h has given a kernel these types
#include <stdint.h>
#endif

/// Arguments of every `muser_embedding_<type>` kernel.
struct MuserEmbeddingArguments {
  uint64_t row_bytes;    // bytes from one row of the table to the next
  uint32_t first;        // position, among all ids, of the first one in this dispatch
  uint32_t columns;      // values a row
  uint32_t rows;         // rows of the table: an id from here on is clamped to the last row and counted
  uint32_t view_first;   // the first row that the bound part of the table holds
  uint32_t view_rows;    // how many rows it holds; ids outside it are left to another dispatch
  float scale;           // every value is multiplied by it where MUSER_SCALED is set
  uint32_t options;      // MUSER_SCALED, MUSER_HALF, MUSER_ONE_ID
  uint32_t id;           // the id where MUSER_ONE_ID is set
  uint32_t count;        // rows of this dispatch
};

#define MUSER_SCALED 1u  // multiply by `scale`, rounding once in f32
#define MUSER_HALF 2u    // write f16, rounded to nearest even, instead of f32
#define MUSER_ONE_ID 4u  // one row, whose id is here already: it is written to the ids, not read from them

/// Arguments of `muser_rms_norm`.
struct MuserRMSNormArguments {
  uint32_t columns;      // values a row
  float epsilon;         // added to the mean of the squares
};

#define MUSER_NORM_THREADS 256u  // how many threads share a row

#ifdef __cplusplus
static_assert(sizeof(MuserRMSNormArguments) == 8, "hosts and kernels must agree on the layout");
static_assert(sizeof(MuserEmbeddingArguments) == 48, "hosts and kernels must agree on the layout");
#endif
