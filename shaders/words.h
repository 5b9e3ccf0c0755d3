// Picks the words that the compiler at hand lacks, so that everything after it is written once.
//
// Beyond plain Metal the text uses: Lanes<T, W> (W values of T; T itself for one), convert, as_type, splat, and
// MUSER_WIDTH, how many positions of a row a piece covers at most.
#pragma once

#if defined(__METAL_VERSION__)
#include "words/metal.h"
#elif defined(__CUDACC_RTC__)
#include "words/cuda.h"
#elif defined(MUSER_CHECK)
#include "words/check.h"
#else
#include "words/cpu.h"
#endif
