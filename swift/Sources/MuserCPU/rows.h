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

/// Decodes the first `columns` values at `row`.
template <class Format> inline void decode(const uchar *row, uint columns, float *output) {
  if constexpr (Format::values == 1) {
    for (uint index = 0; index * MUSER_WIDTH < columns; ++index) Row<Format>::piece(row, index, columns, Values{output});
  } else {
    for (uint first = 0; first < columns; first += Format::values) {
      Format format(row);
#pragma unroll
      for (uint position = 0; position < Row<Format>::positions; position += Row<Format>::W)
        Row<Format>::decode(format, position, first, Values{output});
      row += Format::bytes;
    }
  }
}

/// Decodes through a small buffer that stays in the nearest cache, then scales and narrows.
template <class Format> void decode_changed(const uchar *row, const MuserEmbeddingArguments &arguments, EmbeddingOutput sink) {
  enum : uint { part = 1024 };  // a multiple of every format's block
  float values[part];
  for (uint first = 0; first < arguments.columns; first += part) {
    uint count = arguments.columns - first < part ? arguments.columns - first : part;
    decode<Format>(row + ulong(first / Format::values) * Format::bytes, count, values);
    uint i = 0;
    for (; i + MUSER_WIDTH <= count; i += MUSER_WIDTH) {
      Lanes<float, MUSER_WIDTH> value;
      __builtin_memcpy(&value, values + i, sizeof value);
      sink.put<MUSER_WIDTH>(first + i, value);
    }
    for (; i < count; ++i) sink.put<1>(first + i, values[i]);
  }
}

/// Asks for the bytes of a row before they are needed.
inline void prefetch_row(const uchar *row, ulong bytes) {
  for (ulong at = 0; at < bytes; at += 64) __builtin_prefetch(row + at);
}

/// Rows [first, end) of a dispatch of `muser_embedding_<type>`.
template <class Format> void rows(const void *argument_bytes, void *const *buffers, ulong first, ulong end) {
  const MuserEmbeddingArguments &arguments = *static_cast<const MuserEmbeddingArguments *>(argument_bytes);
  const uchar *table = static_cast<const uchar *>(buffers[0]);
  const uint *ids = static_cast<const uint *>(buffers[1]);
  atomic_uint *fault = static_cast<atomic_uint *>(buffers[3]);
  for (ulong position = first; position < end; ++position) {
    uint row;
    if (position + 1 < end && find_row(arguments, ids[position + 1], row))
      prefetch_row(table + row * arguments.row_bytes, arguments.row_bytes);
    if (!find_row(arguments, ids[position], row)) continue;
    if (ids[position] >= arguments.rows) report_clamp(fault, arguments.first + position);
    EmbeddingOutput sink = {static_cast<uchar *>(buffers[2]), position * arguments.columns, arguments.scale,
                            arguments.options};
    const uchar *source = table + row * arguments.row_bytes;
    if (arguments.options) decode_changed<Format>(source, arguments, sink);
    else decode<Format>(source, arguments.columns, reinterpret_cast<float *>(sink.values) + sink.start);
  }
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
