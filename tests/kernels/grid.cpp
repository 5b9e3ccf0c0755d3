#include "grid.h"
#include <string.h>
#include <utility>
#include "../../shaders/arguments.h"
#include "../../shaders/types.h"

namespace {
#include "../../shaders/embedding.metal"

template <class Arguments, class... Buffers, size_t... I>
void call(void (*function)(uint2, const Arguments &, Buffers *...), uint2 position, const void *arguments,
          void *const *buffers, std::index_sequence<I...>) {
  function(position, *static_cast<const Arguments *>(arguments), static_cast<Buffers *>(buffers[I])...);
}

template <class Arguments, class... Buffers>
constexpr auto buffers_of(void (*)(uint2, const Arguments &, Buffers *...)) {
  return std::index_sequence_for<Buffers...>();
}

template <auto function>
void run(const void *arguments, void *const *buffers, uint32_t width, uint64_t first, uint64_t end) {
  for (uint64_t i = first; i < end; ++i)
    call(function, uint2{uint(i % width), uint(i / width)}, arguments, buffers, buffers_of(function));
}

struct Entry {
  const char *name;
  MuserGridKernel run;
};

#define ENTRY(type, suffix, id, values, bytes) {"muser_embedding_" #suffix, run<muser_embedding_##suffix>},
const Entry entries[] = {MUSER_TYPES(ENTRY)};
}

MuserGridKernel muser_grid_kernel(const char *name) {
  for (const Entry &entry : entries)
    if (strcmp(entry.name, name) == 0) return entry.run;
  return nullptr;
}
