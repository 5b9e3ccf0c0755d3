// Every decoder, in the order in which they need each other. A new format is one header here and one row of types.h.
#pragma once
#include "words.h"
#include "memory.h"
#include "half.h"
#include "f32.h"
#include "f16.h"
#include "bf16.h"
#include "q8_0.h"
#include "k_scales.h"
#include "q4_k.h"
#include "row.h"
