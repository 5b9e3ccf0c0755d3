// Codes of 4 bits that stand for one of 16 values.
#pragma once

/// IQ4: steps that lie closer together near zero.
constant signed char iq4_levels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
/// FP4 (a sign, two bits of exponent, one of mantissa), doubled so that all are integers.
constant signed char fp4_levels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

#ifndef MUSER_NATIVE_LOOK_UP

/// The levels that W codes below 16 stand for.
template <uint W> inline Lanes<uint, W> look_up(constant signed char *levels, Lanes<uint, W> codes) {
  for (uint i = 0; i < W; ++i) codes[i] = uint(int(levels[codes[i]]));
  return codes;
}

#endif
