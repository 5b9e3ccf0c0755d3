// How many pieces of work a row is on a GPU, from the decoders' own constants at the GPU's width.
#include "include/MuserCPU.h"

#define MUSER_WIDTH 4

namespace {
#include "../../../shaders/formats.h"
}

uint32_t muser_embedding_pieces(uint32_t type, uint32_t columns) {
#define MUSER_CASE(Format, suffix, id, values, bytes) \
  case id: return Row<Format>::pieces(columns);
  switch (type) {
    MUSER_TYPES(MUSER_CASE)
    default: return 0;
  }
}
