// One way to walk a row, for every format and every width.
//
// A format of blocks says:
//   values, bytes      what a block holds
//   run, planes        its values lie in chunks of run × planes; position `at` of a chunk gives `planes` values, `run`
//                      apart: at least two, or a GPU's threads would have too little to do
//   widest             the most positions that share what decode<W> reads once; it divides run
//   decode<W>(chunk, plane, at)   the W values of one plane from position `at` on
// A format of single values (values = 1) has any number of columns and says decode<W>(address).
// A piece is what one GPU thread does: MUSER_WIDTH positions and all their planes; of single values twice MUSER_WIDTH,
// half a row apart.
#pragma once

template <class Format, uint width> struct Width {
  enum : uint { value = width < Format::widest ? width : Format::widest };
};

template <class Format, bool blocks = (Format::values > 1)> struct Row {
  enum : uint { positions = Format::values / Format::planes, W = Width<Format, MUSER_WIDTH>::value };
  static uint pieces(uint columns) { return columns / Format::planes / W; }

  /// The values from `position` of a block on; they go to `sink` from `first` on.
  template <class Sink> static inline void decode(thread const Format &format, uint position, uint first, Sink sink) {
    uint chunk = position / Format::run, at = position % Format::run;
    Lanes<float, W> values[Format::planes];
    for (uint plane = 0; plane < Format::planes; ++plane)
      values[plane] = format.template decode<W>(chunk, plane, at);
    first += chunk * Format::run * Format::planes + at;
    for (uint plane = 0; plane < Format::planes; ++plane)
      sink.template put<W>(first + plane * Format::run, values[plane]);
  }

  /// Piece `index` of the row at `row`.
  template <class Sink> static inline void piece(device const uchar *row, uint index, uint, Sink sink) {
    uint block = index * W / positions;
    Format format(row + ulong(block) * Format::bytes);
    decode(format, index * W % positions, block * Format::values, sink);
  }
};

template <class Format> struct Row<Format, false> {
  enum : uint { W = Width<Format, MUSER_WIDTH>::value };
  static uint vectors(uint columns) { return columns / MUSER_WIDTH + (columns % MUSER_WIDTH > 0); }
  static uint pieces(uint columns) { return (vectors(columns) + 1) / 2; }

  /// Values MUSER_WIDTH · `index` and on. Where columns are no multiple of the width, rows are aligned to single values
  /// only, and the last vector is short.
  template <class Sink>
  static inline void vector(device const uchar *row, uint index, uint columns, Sink sink) {
    uint first = index * MUSER_WIDTH;
    if (W == MUSER_WIDTH && columns % W == 0)
      return sink.template put<W>(first, Format::template decode<W>(row + ulong(first) * Format::bytes));
    uint end = columns - first < MUSER_WIDTH ? columns : first + MUSER_WIDTH;
    for (uint i = first; i < end; ++i)
      sink.template put<1>(i, Format::template decode<1>(row + ulong(i) * Format::bytes));
  }

  /// Piece `index` of the row at `row`.
  template <class Sink> static inline void piece(device const uchar *row, uint index, uint columns, Sink sink) {
    uint other = index + pieces(columns);
    vector(row, index, columns, sink);
    if (other < vectors(columns)) vector(row, other, columns, sink);
  }
};
