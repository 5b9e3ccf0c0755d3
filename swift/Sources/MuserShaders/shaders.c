// Every file of shaders/, word for word. A new file is one entry here, in the order of the names.
#include "MuserShaders.h"

#if !defined(__has_embed)
#error "this compiler has no #embed: install Xcode 16.3, Swift 6.2 or newer"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const MuserShader shaders[] = {
    {"arguments.h", (const char[]){
#embed "../../../shaders/arguments.h" suffix(, 0)
    }},
    {"bf16.h", (const char[]){
#embed "../../../shaders/bf16.h" suffix(, 0)
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
    {"formats.h", (const char[]){
#embed "../../../shaders/formats.h" suffix(, 0)
    }},
    {"half.h", (const char[]){
#embed "../../../shaders/half.h" suffix(, 0)
    }},
    {"k_scales.h", (const char[]){
#embed "../../../shaders/k_scales.h" suffix(, 0)
    }},
    {"memory.h", (const char[]){
#embed "../../../shaders/memory.h" suffix(, 0)
    }},
    {"q4_k.h", (const char[]){
#embed "../../../shaders/q4_k.h" suffix(, 0)
    }},
    {"q8_0.h", (const char[]){
#embed "../../../shaders/q8_0.h" suffix(, 0)
    }},
    {"row.h", (const char[]){
#embed "../../../shaders/row.h" suffix(, 0)
    }},
    {"types.h", (const char[]){
#embed "../../../shaders/types.h" suffix(, 0)
    }},
    {"words.h", (const char[]){
#embed "../../../shaders/words.h" suffix(, 0)
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
};

const MuserShader *muser_shader_at(uint32_t index) {
  return index < sizeof shaders / sizeof *shaders ? &shaders[index] : 0;
}
