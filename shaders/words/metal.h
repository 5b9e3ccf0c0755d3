// Metal: the language itself, and names for vectors that also cover one value.
#pragma once
#include <metal_stdlib>
using namespace metal;
#pragma clang fp contract(off)

#define MUSER_KERNEL  // no host: no C headers
#define MUSER_WIDTH 4

#define threadgroup_array(type, name, count) threadgroup type name[count]
#define for_each_thread(i, own, count) for (uint i = (own), end = (count); i < end; i = end)
#define threads_meet() threadgroup_barrier(mem_flags::mem_threadgroup)

template <class T, uint W> struct LanesOf { typedef vec<T, W> type; };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;

template <class To, uint W, class From> inline Lanes<To, W> convert(From value) { return Lanes<To, W>(value); }
template <uint W, class T> inline Lanes<T, W> splat(T value) { return Lanes<T, W>(value); }
