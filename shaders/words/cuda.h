// CUDA (NVRTC with -default-device --fmad=false): vectors, the conversions and atomics, and how a launch finds its
// place in the grid. No vendor header is needed.
#pragma once

#define MUSER_WIDTH 4
#define MUSER_NATIVE_HALF

#define device
#define constant const
#define thread
#define kernel static

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

template <class T, uint W> struct alignas(sizeof(T) * W) Vector {
  T at[W];
  Vector() = default;
  Vector(T value) { for (uint i = 0; i < W; ++i) at[i] = value; }
  T &operator[](uint i) { return at[i]; }
  const T &operator[](uint i) const { return at[i]; }
};
#define MUSER_VECTOR_OPERATOR(op) \
  template <class T, uint W> inline Vector<T, W> operator op(Vector<T, W> a, Vector<T, W> b) { \
    for (uint i = 0; i < W; ++i) a.at[i] = a.at[i] op b.at[i]; \
    return a; \
  } \
  template <class T, uint W, class S> inline Vector<T, W> operator op(Vector<T, W> a, S b) { \
    return a op Vector<T, W>(T(b)); \
  } \
  template <class T, uint W, class S> inline Vector<T, W> operator op(S a, Vector<T, W> b) { \
    return Vector<T, W>(T(a)) op b; \
  }
MUSER_VECTOR_OPERATOR(+) MUSER_VECTOR_OPERATOR(-) MUSER_VECTOR_OPERATOR(*) MUSER_VECTOR_OPERATOR(&)
MUSER_VECTOR_OPERATOR(|) MUSER_VECTOR_OPERATOR(^) MUSER_VECTOR_OPERATOR(<<) MUSER_VECTOR_OPERATOR(>>)
#undef MUSER_VECTOR_OPERATOR

template <class T, uint W> struct LanesOf { typedef Vector<T, W> type; };
template <class T> struct LanesOf<T, 1> { typedef T type; };
template <class T, uint W> using Lanes = typename LanesOf<T, W>::type;

template <class To, class From> inline To as_type(From from) { return __builtin_bit_cast(To, from); }
template <uint W, class T> inline Lanes<T, W> splat(T value) { return value; }

/// `change` of each lane.
template <class To, uint W, class From, class Change> inline Lanes<To, W> each(From from, Change change) {
  if constexpr (W == 1) return change(from);
  else {
    Lanes<To, W> changed;
    for (uint i = 0; i < W; ++i) changed[i] = change(from[i]);
    return changed;
  }
}
template <class To, uint W, class From> inline Lanes<To, W> convert(From from) {
  return each<To, W>(from, [](auto value) { return To(value); });
}

// Halves by the processor's own conversions; their C++ names are in a vendor header.
template <uint W> inline Lanes<float, W> from_half(Lanes<uint, W> bits) {
  return each<float, W>(bits, [](uint bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(ushort(bits)));
    return value;
  });
}
template <uint W> inline Lanes<uint, W> to_half(Lanes<float, W> value) {
  return each<uint, W>(value, [](float value) {
    ushort bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return uint(bits);
  });
}

typedef uint atomic_uint;
enum memory_order { memory_order_relaxed };
inline uint atomic_fetch_add_explicit(atomic_uint *at, uint value, memory_order) { return atomicAdd(at, value); }
inline uint atomic_fetch_min_explicit(atomic_uint *at, uint value, memory_order) { return atomicMin(at, value); }

// The host starts a kernel as muser_launch<kernel>, on one axis, in blocks of any size.

/// What a launch covers: rows from `first_row` on, each shared by `threads_per_row` threads, `threads` in all.
struct MuserLaunch {
  uint threads, threads_per_row, first_row;
};

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

template <auto function>
__global__ void muser_launch(MuserLaunch launch, typename Parameters<decltype(function)>::Arguments arguments,
                             typename Parameters<decltype(function)>::Buffers buffers) {
  uint index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= launch.threads) return;
  uint row = index / launch.threads_per_row;
  uint2 position = {index - row * launch.threads_per_row, launch.first_row + row};
  Parameters<decltype(function)>::call(function, position, arguments, buffers);
}
