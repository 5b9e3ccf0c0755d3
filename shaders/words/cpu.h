// C++ (clang): vectors of any width. The includer chooses the width and, where the processor converts halves by
// itself, defines MUSER_NATIVE_HALF.
#pragma once

#ifndef MUSER_WIDTH
#define MUSER_WIDTH 4
#endif

#pragma clang diagnostic ignored "-Wunknown-attributes"  // [[buffer(0)]] and the like
#pragma clang diagnostic ignored "-Wpsabi"               // vectors are passed between inlined functions only
#pragma clang fp contract(off)

#define device
#define constant const
#define thread
#define threadgroup

// The threads of a group take turns: each does its part of a loop, and where they meet all have done it.
#define for_each_thread(i, own, count) for (uint i = 0, end = (count); i < end; ++i)
#define threads_meet()
#define kernel [[maybe_unused]] static

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef __UINT64_TYPE__ ulong;  // the same type as uint64_t, which on Apple systems is not unsigned long

template <class T, uint W> struct LanesOf { typedef T type __attribute__((ext_vector_type(W))); };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;
typedef Lanes<uint, 2> uint2;

template <class To, class From> inline To as_type(From from) { return __builtin_bit_cast(To, from); }
template <class To, uint W, class From> inline Lanes<To, W> convert(From value) {
  if constexpr (W == 1) return To(value);
  else return __builtin_convertvector(value, Lanes<To, W>);
}
template <uint W, class T> inline Lanes<T, W> splat(T value) { return value; }
inline float sqrt(float value) { return __builtin_elementwise_sqrt(value); }

#ifdef MUSER_NATIVE_HALF
template <uint W> inline Lanes<float, W> from_half(Lanes<uint, W> bits) {
  if constexpr (W == 1) __asm__("" : "+r"(bits));  // loaded into a vector register it would wait for that one's last use
  return convert<float, W>(as_type<Lanes<_Float16, W>>(convert<ushort, W>(bits)));
}
template <uint W> inline Lanes<uint, W> to_half(Lanes<float, W> value) {
  return convert<uint, W>(as_type<Lanes<ushort, W>>(convert<_Float16, W>(value)));
}
#endif

typedef uint atomic_uint;
enum memory_order { memory_order_relaxed = __ATOMIC_RELAXED };
inline uint atomic_fetch_add_explicit(atomic_uint *at, uint value, memory_order) {
  return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}
inline uint atomic_fetch_min_explicit(atomic_uint *at, uint value, memory_order) {
  return __atomic_fetch_min(at, value, __ATOMIC_RELAXED);
}
