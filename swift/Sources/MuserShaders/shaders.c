// Every file of shaders/, word for word. A new file is one entry here.
#include "MuserShaders.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const MuserShader shaders[] = {
#if defined(__has_embed)
    {"arguments.h", (const char[]){
#embed "../../../shaders/arguments.h" suffix(, 0)
    }},
    {"bf16.h", (const char[]){
#embed "../../../shaders/bf16.h" suffix(, 0)
    }},
    {"codebooks.h", (const char[]){
#embed "../../../shaders/codebooks.h" suffix(, 0)
    }},
    {"embedding.h", (const char[]){
#embed "../../../shaders/embedding.h" suffix(, 0)
    }},
    {"embedding.metal", (const char[]){
#embed "../../../shaders/embedding.metal" suffix(, 0)
    }},
    {"f16.h", (const char[]){
#embed "../../../shaders/f16.h" suffix(, 0)
    }},
    {"f32.h", (const char[]){
#embed "../../../shaders/f32.h" suffix(, 0)
    }},
    {"f64.h", (const char[]){
#embed "../../../shaders/f64.h" suffix(, 0)
    }},
    {"formats.h", (const char[]){
#embed "../../../shaders/formats.h" suffix(, 0)
    }},
    {"groups.h", (const char[]){
#embed "../../../shaders/groups.h" suffix(, 0)
    }},
    {"half.h", (const char[]){
#embed "../../../shaders/half.h" suffix(, 0)
    }},
    {"iq1_m.h", (const char[]){
#embed "../../../shaders/iq1_m.h" suffix(, 0)
    }},
    {"iq1_s.h", (const char[]){
#embed "../../../shaders/iq1_s.h" suffix(, 0)
    }},
    {"iq2_s.h", (const char[]){
#embed "../../../shaders/iq2_s.h" suffix(, 0)
    }},
    {"iq2_xs.h", (const char[]){
#embed "../../../shaders/iq2_xs.h" suffix(, 0)
    }},
    {"iq2_xxs.h", (const char[]){
#embed "../../../shaders/iq2_xxs.h" suffix(, 0)
    }},
    {"iq3_s.h", (const char[]){
#embed "../../../shaders/iq3_s.h" suffix(, 0)
    }},
    {"iq3_xxs.h", (const char[]){
#embed "../../../shaders/iq3_xxs.h" suffix(, 0)
    }},
    {"iq4_nl.h", (const char[]){
#embed "../../../shaders/iq4_nl.h" suffix(, 0)
    }},
    {"iq4_xs.h", (const char[]){
#embed "../../../shaders/iq4_xs.h" suffix(, 0)
    }},
    {"k_scales.h", (const char[]){
#embed "../../../shaders/k_scales.h" suffix(, 0)
    }},
    {"lanes.h", (const char[]){
#embed "../../../shaders/lanes.h" suffix(, 0)
    }},
    {"levels.h", (const char[]){
#embed "../../../shaders/levels.h" suffix(, 0)
    }},
    {"memory.h", (const char[]){
#embed "../../../shaders/memory.h" suffix(, 0)
    }},
    {"mxfp4.h", (const char[]){
#embed "../../../shaders/mxfp4.h" suffix(, 0)
    }},
    {"nibbles.h", (const char[]){
#embed "../../../shaders/nibbles.h" suffix(, 0)
    }},
    {"norm.h", (const char[]){
#embed "../../../shaders/norm.h" suffix(, 0)
    }},
    {"norm.metal", (const char[]){
#embed "../../../shaders/norm.metal" suffix(, 0)
    }},
    {"nvfp4.h", (const char[]){
#embed "../../../shaders/nvfp4.h" suffix(, 0)
    }},
    {"q1_0.h", (const char[]){
#embed "../../../shaders/q1_0.h" suffix(, 0)
    }},
    {"q2_0.h", (const char[]){
#embed "../../../shaders/q2_0.h" suffix(, 0)
    }},
    {"q2_k.h", (const char[]){
#embed "../../../shaders/q2_k.h" suffix(, 0)
    }},
    {"q3_k.h", (const char[]){
#embed "../../../shaders/q3_k.h" suffix(, 0)
    }},
    {"q4_0.h", (const char[]){
#embed "../../../shaders/q4_0.h" suffix(, 0)
    }},
    {"q4_1.h", (const char[]){
#embed "../../../shaders/q4_1.h" suffix(, 0)
    }},
    {"q4_k.h", (const char[]){
#embed "../../../shaders/q4_k.h" suffix(, 0)
    }},
    {"q5_0.h", (const char[]){
#embed "../../../shaders/q5_0.h" suffix(, 0)
    }},
    {"q5_1.h", (const char[]){
#embed "../../../shaders/q5_1.h" suffix(, 0)
    }},
    {"q5_k.h", (const char[]){
#embed "../../../shaders/q5_k.h" suffix(, 0)
    }},
    {"q6_k.h", (const char[]){
#embed "../../../shaders/q6_k.h" suffix(, 0)
    }},
    {"q8_0.h", (const char[]){
#embed "../../../shaders/q8_0.h" suffix(, 0)
    }},
    {"row.h", (const char[]){
#embed "../../../shaders/row.h" suffix(, 0)
    }},
    {"tq1_0.h", (const char[]){
#embed "../../../shaders/tq1_0.h" suffix(, 0)
    }},
    {"tq2_0.h", (const char[]){
#embed "../../../shaders/tq2_0.h" suffix(, 0)
    }},
    {"types.h", (const char[]){
#embed "../../../shaders/types.h" suffix(, 0)
    }},
    {"words.h", (const char[]){
#embed "../../../shaders/words.h" suffix(, 0)
    }},
    {"words/check.h", (const char[]){
#embed "../../../shaders/words/check.h" suffix(, 0)
    }},
    {"words/cpu.h", (const char[]){
#embed "../../../shaders/words/cpu.h" suffix(, 0)
    }},
    {"words/cuda.h", (const char[]){
#embed "../../../shaders/words/cuda.h" suffix(, 0)
    }},
    {"words/metal.h", (const char[]){
#embed "../../../shaders/words/metal.h" suffix(, 0)
    }},
#elif __has_include("generated.inc")
#include "generated.inc"
#else
#error "this compiler has no #embed: run scripts/embed_shaders first"
#endif
};

const MuserShader *muser_shader_at(uint32_t index) {
  return index < sizeof shaders / sizeof *shaders ? &shaders[index] : 0;
}
