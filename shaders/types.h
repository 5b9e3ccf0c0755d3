// Every tensor type that a GGUF file can name. The single source of these facts: the C enum, the CPU's and GPU's
// kernel tables and what `muser_types` reports all come from here.
// A type with a kernel is one row of MUSER_TYPES and one decoder header, a struct of the same name in formats.h.
#pragma once

// ROW(type, kernel suffix, id in the file, values a block, bytes a block)
#define MUSER_TYPES(ROW) \
  ROW(F32, f32, 0, 1, 4) \
  ROW(F16, f16, 1, 1, 2) \
  ROW(Q8_0, q80, 8, 32, 34) \
  ROW(Q4_K, q4k, 12, 256, 144) \
  ROW(BF16, bf16, 30, 1, 2)

// OTHER(type, id in the file, values a block, bytes a block, why rows of it cannot be gathered)
#define MUSER_OTHER_TYPES(OTHER) \
  OTHER(Q8_1, 9, 32, 36, "it holds activations, for which the format defines no dequantisation") \
  OTHER(Q8_K, 15, 256, 292, "it holds activations, for which the format defines no dequantisation") \
  OTHER(I8, 24, 1, 1, "it holds integers, which are not embedding values") \
  OTHER(I16, 25, 1, 2, "it holds integers, which are not embedding values") \
  OTHER(I32, 26, 1, 4, "it holds integers, which are not embedding values") \
  OTHER(I64, 27, 1, 8, "it holds integers, which are not embedding values")

#ifndef MUSER_KERNEL  // hosts only: kernels know types as decoders
#include <stdint.h>
#define MUSER_TYPE_OF_ROW(type, kernel, id, values, bytes) MuserType##type = id,
#define MUSER_TYPE_OF_OTHER(type, id, values, bytes, reason) MuserType##type = id,
/// A tensor's type, by its number in the file.
enum __attribute__((enum_extensibility(closed))) MuserType : uint32_t {
  MUSER_TYPES(MUSER_TYPE_OF_ROW) MUSER_OTHER_TYPES(MUSER_TYPE_OF_OTHER)
};
#undef MUSER_TYPE_OF_ROW
#undef MUSER_TYPE_OF_OTHER
#endif
