/**
 * The shortest decimal of an f32: as few digits as read back to the same value, and of those the nearest.
 *
 * @param value A number that f32 holds exactly.
 * @returns The decimal as JavaScript writes numbers, with the sign of a zero kept; `NaN`, `Infinity`, `-Infinity`.
 */
export function shortest32(value: number): string {
  return shortest(value, FLOAT32);
}

/**
 * The shortest decimal of an f16, as {@linkcode shortest32} of an f32.
 *
 * @param value A number that f16 holds exactly.
 */
export function shortest16(value: number): string {
  return shortest(value, FLOAT16);
}

interface Precision {
  round(value: number): number;
  smallestNormal: number;
  /** Digits up to which a normal value has at most one decimal that rounds to it. */
  fewest: number;
  /** Digits that always suffice. */
  most: number;
}

const FLOAT32: Precision = { round: Math.fround, smallestNormal: 2 ** -126, fewest: 6, most: 9 };
const FLOAT16: Precision = { round: Math.f16round, smallestNormal: 2 ** -14, fewest: 3, most: 5 };

function shortest(value: number, precision: Precision): string {
  if (value === 0 || !Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  const size = Math.abs(value);
  const exponent = Math.floor(Math.log10(size));
  const least = size < precision.smallestNormal ? 1 : precision.fewest;
  for (let digits = least; digits <= precision.most; digits += 1) {
    const decimal = nearest(size, digits, exponent, precision);
    // A double made from at most 15 decimal digits is written with exactly those digits.
    if (decimal !== undefined) return String(value < 0 ? -decimal : decimal);
  }
  return String(value);
}

/** The decimal of `digits` digits that reads back to `size` and is nearest to it, where there is one. */
function nearest(size: number, digits: number, exponent: number, precision: Precision): number | undefined {
  const power = exponent - digits + 1;
  const below = Math.floor(power < 0 ? size * tenTo(-power) : size / tenTo(power));
  const low = decimalOf(below, power);
  const high = decimalOf(below + 1, power);
  // Both are tried, because below a power of two the values lie twice as dense as above it.
  const [near, far] = size - low <= high - size ? [low, high] : [high, low];
  if (readsBack(near, digits, size, precision)) return near;
  return readsBack(far, digits, size, precision) ? far : undefined;
}

function readsBack(decimal: number, digits: number, size: number, precision: Precision): boolean {
  if (precision.round(decimal) !== size) return false;
  const mirrored = 2 * decimal - size;
  const halfway = mirrored !== size && precision.round(mirrored) === mirrored;
  // A double halfway between two values hides on which side the decimal lies: programs that read it without the step
  // over a double may see the neighbour. Of all f32 values this concerns 7.0385313e-26 alone.
  return !halfway || !/[1-9]/.test(decimal.toExponential(60).slice(digits + 1, -4));
}

const EXACT_POWERS = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

function tenTo(power: number): number {
  return EXACT_POWERS[power] ?? Number(`1e${power}`);
}

/** The double nearest to `integer` times ten to the power `power`. */
function decimalOf(integer: number, power: number): number {
  const factor = EXACT_POWERS[Math.abs(power)];
  if (factor === undefined) return Number(`${integer}e${power}`);
  return power < 0 ? integer / factor : integer * factor;
}
