// The embedding: which row an id asks for, and how its values are written.
#pragma once

/// The id of a row of the output. One that came with the arguments spares the kernel a read and the host a copy; the
/// buffer holds it from here on, as after a copy.
inline uint find_id(constant MuserEmbeddingArguments &arguments, device uint *ids, uint2 position) {
  if (!(arguments.options & MUSER_ONE_ID)) return read((device const uint *)ids + position.y);
  if (position.x == 0) ids[0] = arguments.id;
  return arguments.id;
}

/// Turns an id into a row of the bound part of the table. False where another dispatch serves it.
inline bool find_row(constant MuserEmbeddingArguments &arguments, uint id, thread uint &row) {
  row = (id < arguments.rows ? id : arguments.rows - 1) - arguments.view_first;
  return row < arguments.view_rows;
}

/// Counts an id that was clamped and keeps the smallest position of one.
inline void report_clamp(device atomic_uint *fault, uint position) {
  atomic_fetch_add_explicit(fault, 1u, memory_order_relaxed);
  atomic_fetch_min_explicit(fault + 1, position, memory_order_relaxed);
}

/// Where a row's values go. `values` is aligned to 16 bytes; so is the row where `columns` are a multiple of 4.
struct EmbeddingOutput {
  device uchar *values;
  ulong start;  // the row's first value among all values of the output
  float scale;
  uint options;

  template <uint W> void put(uint index, Lanes<float, W> value) const {
    if (options & MUSER_SCALED) value = value * scale;
    if (options & MUSER_HALF)
      store<ushort, W>(values + (start + index) * 2, to_half<W>(value));
    else
      store<uint, W>(values + (start + index) * 4, as_type<Lanes<uint, W>>(value));
  }
};

/// Rows between the one that is written and the one that is asked for: about as many as an H200 works on at a time.
enum : uint { rows_ahead = 256 };

/// Asks for the row at a position of the output, so that it comes as a whole and not piece by piece when it is wanted.
inline void fetch_row(uint position, constant MuserEmbeddingArguments &arguments, device const uchar *table,
                      device const uint *ids) {
  uint row;
  if (position < arguments.count && find_row(arguments, read(ids + position), row))
    fetch(table + row * arguments.row_bytes, arguments.row_bytes);
}

/// One piece of one row. position = (piece, row of the output).
template <class Format>
inline void embed(uint2 position, constant MuserEmbeddingArguments &arguments, device const uchar *table,
                  device uint *ids, device uchar *output, device atomic_uint *fault) {
  uint id = find_id(arguments, ids, position), row;
  if (!find_row(arguments, id, row)) return;
  if (id >= arguments.rows && position.x == 0) report_clamp(fault, arguments.first + position.y);
  EmbeddingOutput sink = {output, ulong(position.y) * arguments.columns, arguments.scale, arguments.options};
  Row<Format>::piece(table + row * arguments.row_bytes, position.x, arguments.columns, sink);
  if (position.x == 0) fetch_row(position.y + rows_ahead, arguments, table, ids);
}
