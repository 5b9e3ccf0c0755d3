// The rows of shaders/types.h as values, for Swift: a macro table cannot be imported.
#pragma once
#include <stdint.h>

/// What is known of one tensor type of the format.
typedef struct MuserTypeFacts {
  const char *name;
  const char *kernel;  // NULL where rows cannot be gathered
  const char *reason;  // why not; NULL where they can
  uint32_t id;
  uint32_t block_values;
  uint32_t block_bytes;
} MuserTypeFacts;

/// Facts of the type with this id in the file; NULL where the format has no such type.
const MuserTypeFacts *muser_type_facts(uint32_t id);
/// The `index`-th known type; NULL past the last.
const MuserTypeFacts *muser_type_at(uint32_t index);
