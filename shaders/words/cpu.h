// C++ (clang): vectors of any width. The includer chooses the width and, where the processor converts halves by
// itself, defines MUSER_NATIVE_HALF.
#pragma once

#ifndef MUSER_WIDTH
#define MUSER_WIDTH 4
#endif

#pragma clang diagnostic ignored "-Wunknown-attributes"  // [[buffer(0)]] and the like
#pragma clang diagnostic ignored "-Wpsabi"               // vectors are passed between inlined functions only
#pragma clang fp contract(off)
#define MUSER_FUSE _Pragma("clang fp contract(on)")

#define device
#define constant const
#define thread
#define kernel __attribute__((unused)) static
#define threadgroup
#define threadgroup_array(type, name, count) type name[count]

// The threads of a group take turns: each does its part of a loop, and where they meet all have done it.
#define for_each_thread(i, own, count) for (uint i = ((void)(own), 0), end = (count); i < end; ++i)
#define threads_meet()

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef __UINT64_TYPE__ ulong;  // the same type as uint64_t, which on Apple systems is not unsigned long

template <class T, uint W> struct LanesOf { typedef T type __attribute__((ext_vector_type(W))); };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;
typedef Lanes<uint, 2> uint2;

template <class To, class From> inline To as_type(From from) { return __builtin_bit_cast(To, from); }
template <class To, uint W> struct Convert {
  template <class From> static Lanes<To, W> from(From value) { return __builtin_convertvector(value, Lanes<To, W>); }
};
template <class To> struct Convert<To, 1> {
  template <class From> static To from(From value) { return To(value); }
};
template <class To, uint W, class From> inline Lanes<To, W> convert(From value) { return Convert<To, W>::from(value); }
template <uint W, class T> inline Lanes<T, W> splat(T value) { return value; }
inline float sqrt(float value) { return __builtin_elementwise_sqrt(value); }

#ifdef MUSER_NATIVE_HALF
template <uint W> inline Lanes<float, W> from_half(Lanes<uint, W> bits) {
  // Loaded into a part of a vector register, a half would wait for the last use of that register.
  if constexpr (W == 1) __asm__("" : "+r"(bits));
  return convert<float, W>(as_type<Lanes<_Float16, W>>(convert<ushort, W>(bits)));
}
template <uint W> inline Lanes<uint, W> to_half(Lanes<float, W> value) {
  return convert<uint, W>(as_type<Lanes<ushort, W>>(convert<_Float16, W>(value)));
}
#endif

#ifdef MUSER_SHUFFLE  // the level's instruction that picks 16 bytes of a table of 16
#define MUSER_NATIVE_LOOK_UP
template <uint W> inline Lanes<uint, W> look_up(const signed char *levels, Lanes<uint, W> codes) {
  static_assert(W <= 16, "a shuffle looks up 16 codes");
  typedef Lanes<signed char, 16> Bytes;
  Bytes table, picks = {};
  Lanes<signed char, W> narrow = convert<signed char, W>(codes);
  __builtin_memcpy(&table, levels, sizeof table);
  __builtin_memcpy(&picks, &narrow, sizeof narrow);
  Bytes picked = as_type<Bytes>(MUSER_SHUFFLE(table, picks));
  __builtin_memcpy(&narrow, &picked, sizeof narrow);
  return as_type<Lanes<uint, W>>(convert<int, W>(narrow));
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
