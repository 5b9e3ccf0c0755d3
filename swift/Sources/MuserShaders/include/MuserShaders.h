// The shader text, compiled into the library: devices compile it for their processor at run time.
#pragma once
#include <stdint.h>

/// One file of shaders/.
typedef struct MuserShader {
  const char *path;  // from shaders/ on
  const char *text;  // NUL-terminated
} MuserShader;

/// The `index`-th file; NULL past the last.
const MuserShader *muser_shader_at(uint32_t index);
