/** What is told about a row. */
export interface RowStatistics {
  /** Its Euclidean length. */
  norm: number;
  /** Its least value; `Infinity` where none is finite. */
  least: number;
  /** Its greatest value; `-Infinity` where none is finite. */
  greatest: number;
  /** Values that are infinite or no number. */
  odd: number;
}

/** Statistics of each row of `values`, `[rows, columns]` row by row. */
export function rowStatistics(values: ArrayLike<number>, columns: number): RowStatistics[] {
  return Array.from({ length: values.length / columns }, (_, row) => statisticsOf(values, row * columns, columns));
}

function statisticsOf(values: ArrayLike<number>, first: number, columns: number): RowStatistics {
  let [squares, least, greatest, odd] = [0, Infinity, -Infinity, 0];
  for (let at = first; at < first + columns; at++) {
    const value = values[at]!;
    squares += value * value;
    if (!Number.isFinite(value)) odd += 1;
    else {
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return { norm: Math.sqrt(squares), least, greatest, odd };
}

/** The value below which this part of the numbers lies; 0 where there are none. Sorts them. */
export function quantile(numbers: Float64Array, part: number): number {
  numbers.sort();
  return numbers[Math.min(numbers.length - 1, Math.floor(part * numbers.length))] ?? 0;
}
