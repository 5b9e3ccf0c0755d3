// CUDA (NVRTC with -std=c++20 -default-device --fmad=false): vectors, conversions, atomics, and the entry through which
// the host launches a kernel. No vendor header is needed.
//
// The host instantiates `muser_launch<NAME OF A KERNEL>` by a name expression.
#pragma once

#define MUSER_KERNEL  // no host: no C headers
#define MUSER_WIDTH 4
#define MUSER_NATIVE_HALF
#define MUSER_NATIVE_READ

#pragma nv_diag_suppress 1097  // [[buffer(0)]] and the like

#define device
#define constant const
#define thread
#define threadgroup
#define threadgroup_array(type, name, count) __shared__ type name[count]

#define for_each_thread(i, own, count) for (uint i = (own), end = (count); i < end; i = end)
#define threads_meet() __syncthreads()
#define kernel static

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef uint uint32_t;
typedef ulong uint64_t;

template <class T, uint W> struct alignas(sizeof(T) * W) Vector {
  T lanes[W];
  Vector() = default;
  Vector(T value) { for (uint i = 0; i < W; ++i) lanes[i] = value; }
  T &operator[](uint i) { return lanes[i]; }
  const T &operator[](uint i) const { return lanes[i]; }
};

#define MUSER_OPERATOR(op) \
  template <class T, uint W> inline Vector<T, W> operator op(Vector<T, W> a, Vector<T, W> b) { \
    for (uint i = 0; i < W; ++i) a[i] = a[i] op b[i]; \
    return a; \
  } \
  template <class T, uint W, class S> inline Vector<T, W> operator op(Vector<T, W> a, S b) { \
    return a op Vector<T, W>(T(b)); \
  } \
  template <class T, uint W, class S> inline Vector<T, W> operator op(S a, Vector<T, W> b) { \
    return Vector<T, W>(T(a)) op b; \
  }
MUSER_OPERATOR(+) MUSER_OPERATOR(-) MUSER_OPERATOR(*) MUSER_OPERATOR(&)
MUSER_OPERATOR(|) MUSER_OPERATOR(^) MUSER_OPERATOR(<<) MUSER_OPERATOR(>>)
#undef MUSER_OPERATOR

template <class T, uint W> struct LanesOf { typedef Vector<T, W> type; };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;

template <class To, class From> inline To as_type(From from) { return __builtin_bit_cast(To, from); }
template <uint W, class T> inline Lanes<T, W> splat(T value) { return value; }

/// `change` applied to every lane.
template <class To, uint W, class From, class Change> inline Lanes<To, W> each(From from, Change change) {
  if constexpr (W == 1) return change(from);
  else {
    Vector<To, W> to;
    for (uint i = 0; i < W; ++i) to[i] = change(from[i]);
    return to;
  }
}
template <class To, uint W, class From> inline Lanes<To, W> convert(From value) {
  return each<To, W>(value, [](auto lane) { return To(lane); });
}
template <uint W> inline Lanes<float, W> from_half(Lanes<uint, W> bits) {
  return each<float, W>(bits, [](uint lane) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(ushort(lane)));
    return value;
  });
}
template <uint W> inline Lanes<uint, W> to_half(Lanes<float, W> value) {
  return each<uint, W>(value, [](float lane) {
    ushort bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(lane));
    return uint(bits);
  });
}

#if __CUDA_ARCH__ >= 800 && __CUDACC_VER_MAJOR__ >= 12
#define MUSER_LOAD "ld.global.nc.L2::256B"  // the neighbours come along: 2 % of the time on an H200
#else
#define MUSER_LOAD "ld.global.nc"
#endif

/// What other threads read too, at neighbouring addresses, and nobody writes.
template <class T> inline T read(const T *at) {
  if constexpr (sizeof(T) == sizeof(uint4)) {
    uint4 value;
    asm(MUSER_LOAD ".v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "l"(at));
    return as_type<T>(value);
  } else if constexpr (sizeof(T) == sizeof(uint2)) {
    uint2 value;
    asm(MUSER_LOAD ".v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(at));
    return as_type<T>(value);
  } else if constexpr (sizeof(T) == sizeof(uint)) {
    uint value;
    asm(MUSER_LOAD ".u32 %0, [%1];" : "=r"(value) : "l"(at));
    return as_type<T>(value);
  } else {
    return *at;
  }
}

#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
#define MUSER_NATIVE_FETCH
/// Into the second cache, in whole 16 bytes: up to 30 bytes at the end come when they are read.
inline void fetch(const uchar *at, ulong bytes) {
  ulong begin = (ulong)at / 16 * 16;
  uint count = uint(bytes) / 16 * 16;
  if (count > 0) asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(begin), "r"(count));
}
#endif

typedef uint atomic_uint;
enum memory_order { memory_order_relaxed };
inline uint atomic_fetch_add_explicit(atomic_uint *at, uint value, memory_order) { return atomicAdd(at, value); }
inline uint atomic_fetch_min_explicit(atomic_uint *at, uint value, memory_order) { return atomicMin(at, value); }

/// A kernel's buffers as the host passes them, and how they become its parameters.
template <class Kernel> struct Parameters;
template <class A, class... B> struct Parameters<void (*)(uint2, A &, B...)> {
  typedef A Arguments;
  struct Buffers {
    void *at[sizeof...(B)];
  };
  struct Call {  // made with braces, which evaluate in order
    Call(void (*function)(uint2, A &, B...), uint2 position, A &arguments, B... buffers) {
      function(position, arguments, buffers...);
    }
  };
  static void call(void (*function)(uint2, A &, B...), uint2 position, A &arguments, const Buffers &buffers) {
    uint next = 0;
    Call{function, position, arguments, (B)buffers.at[next++]...};
  }
};

/// `threads` threads of a kernel, `per_row` of them a row. In one row of blocks, because only that axis is long enough.
template <auto function>
__global__ void muser_launch(uint threads, uint per_row, typename Parameters<decltype(function)>::Arguments arguments,
                             typename Parameters<decltype(function)>::Buffers buffers) {
  uint index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= threads) return;
  Parameters<decltype(function)>::call(function, uint2{index % per_row, index / per_row}, arguments, buffers);
}
