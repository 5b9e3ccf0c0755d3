// Every tensor type that a GGUF file can name. The single source of these facts: the C enum, the CPU's and GPU's
// kernel tables and what `muser_types` reports all come from here.
// A type with a kernel is one row of MUSER_TYPES and one decoder header, a struct of the same name in formats.h.
#pragma once

// ROW(type, kernel suffix, id in the file, values a block, bytes a block)
#define MUSER_TYPES(ROW) \
  ROW(F32, f32, 0, 1, 4) \
  ROW(F16, f16, 1, 1, 2) \
  ROW(Q4_0, q40, 2, 32, 18) \
  ROW(Q4_1, q41, 3, 32, 20) \
  ROW(Q5_0, q50, 6, 32, 22) \
  ROW(Q5_1, q51, 7, 32, 24) \
  ROW(Q8_0, q80, 8, 32, 34) \
  ROW(Q2_K, q2k, 10, 256, 84) \
  ROW(Q3_K, q3k, 11, 256, 110) \
  ROW(Q4_K, q4k, 12, 256, 144) \
  ROW(Q5_K, q5k, 13, 256, 176) \
  ROW(Q6_K, q6k, 14, 256, 210) \
  ROW(IQ2_XXS, iq2xxs, 16, 256, 66) \
  ROW(IQ2_XS, iq2xs, 17, 256, 74) \
  ROW(IQ3_XXS, iq3xxs, 18, 256, 98) \
  ROW(IQ1_S, iq1s, 19, 256, 50) \
  ROW(IQ4_NL, iq4nl, 20, 32, 18) \
  ROW(IQ3_S, iq3s, 21, 256, 110) \
  ROW(IQ2_S, iq2s, 22, 256, 82) \
  ROW(IQ4_XS, iq4xs, 23, 256, 136) \
  ROW(F64, f64, 28, 1, 8) \
  ROW(IQ1_M, iq1m, 29, 256, 56) \
  ROW(BF16, bf16, 30, 1, 2) \
  ROW(TQ1_0, tq10, 34, 256, 54) \
  ROW(TQ2_0, tq20, 35, 256, 66) \
  ROW(MXFP4, mxfp4, 39, 32, 17) \
  ROW(NVFP4, nvfp4, 40, 64, 36) \
  ROW(Q1_0, q10, 41, 128, 18) \
  ROW(Q2_0, q20, 42, 64, 18)

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
