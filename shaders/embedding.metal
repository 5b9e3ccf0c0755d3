// The embedding lookup: row ids[i] of a table of any type becomes row i of the output, one kernel a type.
//
// Threads: (pieces of a row, rows of the output); `muser_embedding_pieces` tells a host how many pieces. Table and output
// begin at multiples of 16 bytes.
#include "words.h"
#include "arguments.h"
#include "types.h"
#include "formats.h"
#include "embedding.h"

#define MUSER_EMBEDDING(Format, suffix, id, block_values, block_bytes) \
  static_assert(Format::values == block_values && Format::bytes == block_bytes, "types.h and " #Format " must agree"); \
  kernel void muser_embedding_##suffix( \
      uint2 position [[thread_position_in_grid]],                 /* piece, row */ \
      constant MuserEmbeddingArguments &arguments [[buffer(0)]], \
      device const uchar *table [[buffer(1)]],                    /* [view_rows, row_bytes] */ \
      device uint *ids [[buffer(2)]],                             /* [rows of the output] */ \
      device uchar *output [[buffer(3)]],                         /* [rows of the output, columns] f32 or f16 */ \
      device atomic_uint *fault [[buffer(4)]]) {                  /* ids clamped, smallest such position */ \
    embed<Format>(position, arguments, table, ids, output, fault); \
  }
MUSER_TYPES(MUSER_EMBEDDING)
