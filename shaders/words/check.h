// OpenCL C++ (clang, syntax only): it knows address spaces as Metal does, so that it finds what C++ and CUDA let pass.
#pragma once

#define MUSER_KERNEL  // no host: no C headers
#define MUSER_WIDTH 4

#pragma clang fp contract(off)

#define device __global
#define constant __constant
#define thread __private
#define threadgroup __local
#define threadgroup_array(type, name, count) __local type name[count]
#define kernel __kernel

typedef uint uint32_t;
typedef ulong uint64_t;

#define for_each_thread(i, own, count) for (uint i = (own), end = (count); i < end; i = end)
void threads_meet();
float sqrt(float value);

template <class T, uint W> struct LanesOf { typedef T type __attribute__((ext_vector_type(W))); };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;

template <class To, class From> inline To as_type(From from) { return __builtin_bit_cast(To, from); }
template <uint W, class T> inline Lanes<T, W> splat(T value) { return (Lanes<T, W>)(value); }

template <class To, uint W> struct Convert {
  template <class From> static Lanes<To, W> from(From value) { return __builtin_convertvector(value, Lanes<To, W>); }
};
template <class To> struct Convert<To, 1> {
  template <class From> static To from(From value) { return To(value); }
};
template <class To, uint W, class From> inline Lanes<To, W> convert(From value) { return Convert<To, W>::from(value); }

#define atomic_uint uint
#define memory_order_relaxed 0
uint atomic_fetch_add_explicit(device uint *at, uint value, int order);
uint atomic_fetch_min_explicit(device uint *at, uint value, int order);
