#include "type_facts.h"

#include "../../../shaders/types.h"

#define ROW(type, kernel, id, values, bytes) {#type, "muser_embedding_" #kernel, 0, id, values, bytes},
#define OTHER(type, id, values, bytes, reason) {#type, 0, reason, id, values, bytes},
static const MuserTypeFacts facts[] = {MUSER_TYPES(ROW) MUSER_OTHER_TYPES(OTHER)};
#undef ROW
#undef OTHER

const MuserTypeFacts *muser_type_at(uint32_t index) {
  return index < sizeof facts / sizeof *facts ? &facts[index] : 0;
}

const MuserTypeFacts *muser_type_facts(uint32_t id) {
  for (uint32_t index = 0; index < sizeof facts / sizeof *facts; ++index)
    if (facts[index].id == id) return &facts[index];
  return 0;
}
