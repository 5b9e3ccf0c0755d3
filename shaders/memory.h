// Reads and writes of buffers. Whatever is read arrives as lanes of uint, the integers that decoders compute in.
#pragma once

#ifndef MUSER_NATIVE_READ
/// What other threads read too, at neighbouring addresses, and nobody writes.
template <class T> inline T read(device const T *at) { return *at; }
#endif

#ifndef MUSER_NATIVE_FETCH
/// Asks for memory that is read soon.
inline void fetch(device const uchar *, ulong) {}
#endif

#if MUSER_WIDTH > 4  // a CPU reads anything at any address

template <class T, uint W> inline Lanes<uint, W> load(device const uchar *at) {
  Lanes<T, W> values;
  __builtin_memcpy(&values, at, sizeof values);
  return convert<uint, W>(values);
}
template <class T, uint W> inline void store(device uchar *at, Lanes<uint, W> values) {
  Lanes<T, W> stored = convert<T, W>(values);
  __builtin_memcpy(at, &stored, sizeof stored);
}
template <uint A> inline uint load_word(device const uchar *at) { return load<uint, 1>(at); }
template <uint W, uint A> inline Lanes<uint, W> load_bytes(device const uchar *at) { return load<uchar, W>(at); }

#else  // a GPU reads what is aligned

/// W values of T, aligned to all of them together.
template <class T, uint W> inline Lanes<uint, W> load(device const uchar *at) {
  return convert<uint, W>(read((device const Lanes<T, W> *)at));
}

/// Writes W values as T, aligned to all of them together.
template <class T, uint W> inline void store(device uchar *at, Lanes<uint, W> values) {
  *(device Lanes<T, W> *)at = convert<T, W>(values);
}

template <uint A> struct Word {  // aligned to 4 bytes and more
  static uint load(device const uchar *at) { return read((device const uint *)at); }
};
template <> struct Word<2> {
  static uint load(device const uchar *at) {
    device const ushort *halves = (device const ushort *)at;
    return halves[0] | uint(halves[1]) << 16;
  }
};
template <> struct Word<1> {
  static uint load(device const uchar *at) {
    return at[0] | uint(at[1]) << 8 | uint(at[2]) << 16 | uint(at[3]) << 24;
  }
};

/// Four bytes, aligned to A of them.
template <uint A> inline uint load_word(device const uchar *at) { return Word<A>::load(at); }
/// W bytes, one a lane, aligned to A of them.
template <uint W, uint A> inline Lanes<uint, W> load_bytes(device const uchar *at) {
  return fields<W, 8>(load_word<A>(at));
}

#endif
