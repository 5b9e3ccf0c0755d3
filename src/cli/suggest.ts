/**
 * The one of `names` that `typed` was probably meant to be.
 *
 * @returns A name at most a third of its letters away, or `undefined`.
 */
export function suggest(typed: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const limit = Math.max(1, Math.floor(name.length / 3));
    if (Math.abs(name.length - typed.length) > limit) continue;
    const edits = distance(typed, name);
    if (edits <= limit && edits < least) [best, least] = [name, edits];
  }
  return best;
}

/** `, did you mean "…"?`, or nothing. */
export function hint(typed: string, names: Iterable<string>): string {
  const name = suggest(typed, names);
  return name === undefined ? "" : `, did you mean "${name}"?`;
}

/** Letters inserted, removed, replaced or swapped with their neighbour to turn one text into the other. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, above] = [above, row];
  }
  return above[to.length]!;
}
