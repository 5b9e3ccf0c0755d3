// The CPU's way through a dispatch: whole rows at full width, from the shader text. Included once a level, inside the
// level's namespace.
#include "../../../shaders/formats.h"
#include "../../../shaders/embedding.h"
#include "../../../shaders/norm.h"

/// Decoded values in memory, at any address.
struct Values {
  float *values;
  template <uint W> void put(uint index, Lanes<float, W> value) const {
    __builtin_memcpy(values + index, &value, sizeof value);
  }
};

/// Asks for bytes that are needed soon.
inline void prefetch(const uchar *at, uint bytes) {
  for (uint i = 0; i < bytes; i += 64) __builtin_prefetch(at + i);
}

/// Asks for the memory that is written 2 KiB after `output`: a core has few stores that wait, many loads that come.
inline void prefetch_output(void *output, uint bytes) {
  for (uint i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<uchar *>(output) + 2048 + i, 1);
}

/// Bytes on their way past the caches, in whole lines: a line that is written in parts would be read first. What there
/// is of a line waits for the bytes that come next.
class Stream {
  typedef Lanes<uint, 16> Line;
  alignas(Line) uchar line[sizeof(Line)];
  uint waiting = 0;      // bytes of `line` that are taken
  uchar *end = nullptr;  // of what was written, the waiting bytes among it

  static void store(uchar *to, const uchar *from) {
    Line whole;
    __builtin_memcpy(&whole, from, sizeof whole);
    __builtin_nontemporal_store(whole, reinterpret_cast<Line *>(to));
  }

  void let_go() {
    if (waiting > 0) __builtin_memcpy(end - waiting, line, waiting);
    waiting = 0;
  }

public:
  void write(uchar *to, const uchar *from, ulong bytes) {
    if (to != end) let_go();
    end = to + bytes;
    ulong at = -reinterpret_cast<uintptr_t>(to) % sizeof line;
    if (at > bytes) at = bytes;
    if (waiting == 0) {
      __builtin_memcpy(to, from, at);
    } else {
      __builtin_memcpy(line + waiting, from, at);
      waiting += uint(at);
      if (waiting == sizeof line) store(to + at - sizeof line, line), waiting = 0;
    }
    for (; bytes - at >= sizeof line; at += sizeof line) store(to + at, from + at);
    if (at == bytes) return;
    waiting = uint(bytes - at);
    __builtin_memcpy(line, from + at, waiting);
  }

  /// Waits until all of it is where everybody sees it.
  void finish() {
    let_go();
#ifdef __x86_64__
    __builtin_ia32_sfence();
#endif
  }
};

/// Decodes the first `columns` values at `row`. Where a row `follows`, the same bytes of it, which are at `next`, are
/// fetched meanwhile, and the memory that is written after these values.
template <class Format, bool follows>
__attribute__((noinline)) void decode(const uchar *row, const uchar *next, uint columns, float *output) {
  constexpr uint W = Row<Format>::W, planes = Format::planes;
  if constexpr (__is_same(Format, F32) && !follows) {
    __builtin_memcpy(output, row, columns * sizeof(float));
  } else if constexpr (Format::values == 1) {
    auto one_by_one = [&](uint first, uint end) {
      for (; first < end; ++first)
        Values{output}.put<1>(first, Format::template decode<1>(row + ulong(first) * Format::bytes));
    };
    // A store into two cache lines takes as long as two, and arrays of JavaScript begin within a line.
    uint first = -reinterpret_cast<uintptr_t>(output) % 64 / sizeof(float);
    if (first > columns) first = columns;
    one_by_one(0, first);
    for (; columns - first >= W; first += W) {
      ulong at = ulong(first) * Format::bytes;
      if constexpr (follows) prefetch(next + at, W * Format::bytes), prefetch_output(output + first, W * sizeof(float));
      Values{output}.put<W>(first, Format::template decode<W>(row + at));
    }
    one_by_one(first, columns);
  } else {
    for (uint first = 0; first < columns; first += Format::values) {
      if constexpr (follows) prefetch(next, Format::bytes);
      Format format(row);
#pragma unroll
      for (uint position = 0; position < Row<Format>::positions; position += W) {
        if constexpr (follows) prefetch_output(output + first + position * planes, W * planes * sizeof(float));
        Row<Format>::decode(format, position, first, Values{output});
      }
      row += Format::bytes;
      if constexpr (follows) next += Format::bytes;
    }
  }
}

inline uint value_bytes(uint options) { return options & MUSER_HALF ? 2 : 4; }

/// Scales and narrows values on their way to where they go, which may be where they are.
inline void scale_and_narrow(const float *values, uint count, EmbeddingOutput to, bool follows) {
  uint i = 0, bytes = value_bytes(to.options);
  for (; count - i >= MUSER_WIDTH; i += MUSER_WIDTH) {
    Lanes<float, MUSER_WIDTH> value;
    __builtin_memcpy(&value, values + i, sizeof value);
    if (follows) prefetch_output(to.values + (to.start + i) * bytes, MUSER_WIDTH * bytes);
    to.put<MUSER_WIDTH>(i, value);
  }
  for (; i < count; ++i) to.put<1>(i, values[i]);
}

/// Decodes a part of a row at a time, which stays in the nearest cache, and from there changes or streams it, or both.
/// Not inlined, so that rows decoded in one go make no room for parts.
template <class Format>
__attribute__((noinline))
void decode_in_parts(const uchar *row, const uchar *next, uint columns, EmbeddingOutput output, bool follows,
                     Stream *stream) {
  enum : uint { part = 2048 };  // a multiple of every format's block
  uint bytes = value_bytes(output.options);
  float values[part];
  uchar *local = reinterpret_cast<uchar *>(values);
  for (uint first = 0; first < columns; first += part) {
    uint count = columns - first < part ? columns - first : part;
    ulong at = ulong(first / Format::values) * Format::bytes;
    if (follows) prefetch(next + at, count / Format::values * Format::bytes);
    decode<Format, false>(row + at, next + at, count, values);
    ulong start = output.start + first;
    if (!stream) {
      scale_and_narrow(values, count, {output.values, start, output.scale, output.options}, follows);
    } else {
      if (output.options) scale_and_narrow(values, count, {local, 0, output.scale, output.options}, false);
      stream->write(output.values + start * bytes, local, count * bytes);
    }
  }
}

/// Rows [first, end) of a dispatch of `muser_embedding_<type>`.
template <class Format> void rows(const void *argument_bytes, void *const *buffers, ulong first, ulong end) {
  const MuserEmbeddingArguments &arguments = *static_cast<const MuserEmbeddingArguments *>(argument_bytes);
  const uchar *table = static_cast<const uchar *>(buffers[0]);
  uint *ids = static_cast<uint *>(buffers[1]);
  atomic_uint *fault = static_cast<atomic_uint *>(buffers[3]);
  uint columns = arguments.columns;
  bool streams = ulong(arguments.count) * columns * value_bytes(arguments.options) > muser_cpu_cache_bytes();
  bool in_parts = streams || arguments.options & (MUSER_SCALED | MUSER_HALF);
  Stream stream;
  if (arguments.options & MUSER_ONE_ID) ids[0] = arguments.id;
  for (ulong position = first; position < end; ++position) {
    uint row, after;
    if (!find_row(arguments, ids[position], row)) continue;
    if (ids[position] >= arguments.rows) report_clamp(fault, arguments.first + uint(position));
    bool follows = position + 1 < end && find_row(arguments, ids[position + 1], after);
    const uchar *source = table + row * arguments.row_bytes;
    const uchar *next = follows ? table + after * arguments.row_bytes : source;
    EmbeddingOutput output = {static_cast<uchar *>(buffers[2]), position * columns, arguments.scale, arguments.options};
    float *values = reinterpret_cast<float *>(output.values) + output.start;
    if (in_parts) decode_in_parts<Format>(source, next, columns, output, follows, streams ? &stream : nullptr);
    else if (follows) decode<Format, true>(source, next, columns, values);
    else decode<Format, false>(source, next, columns, values);
  }
  if (streams) stream.finish();
}

/// Rows [first, end) of a dispatch of `muser_rms_norm`.
inline void norm_rows(const void *argument_bytes, void *const *buffers, ulong first, ulong end) {
  const MuserRMSNormArguments &arguments = *static_cast<const MuserRMSNormArguments *>(argument_bytes);
  float sums[MUSER_NORM_THREADS];
  for (ulong position = first; position < end; ++position) {
    ulong start = position * arguments.columns;
    rms_norm(0, arguments, static_cast<const float *>(buffers[0]) + start, static_cast<float *>(buffers[1]) + start, sums);
  }
}

#define MUSER_CASE(Format, suffix, id, values, bytes) \
  case id: return rows<Format>;
inline MuserCPUKernel embedding(uint type) {
  switch (type) {
    MUSER_TYPES(MUSER_CASE)
    default: return nullptr;
  }
}
#undef MUSER_CASE
