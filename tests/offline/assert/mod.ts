/**
 * Stands in for `@std/assert` where JSR cannot be reached: the assertions that our tests use, over `node:assert`.
 * @module
 */
import { AssertionError, deepStrictEqual, notDeepStrictEqual, strictEqual } from "node:assert/strict";

export { AssertionError };

// deno-lint-ignore no-explicit-any
type ErrorClass<E> = abstract new (...args: any[]) => E;

export function fail(message: string): never {
  throw new AssertionError({ message });
}

export function assert(expression: unknown, message = "the expression is not true"): asserts expression {
  if (!expression) fail(message);
}

export function assertFalse(expression: unknown, message = "the expression is not false"): void {
  assert(!expression, message);
}

export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  deepStrictEqual(actual, expected, ...given(message));
}

export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  notDeepStrictEqual(actual, expected, ...given(message));
}

export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): asserts actual is T {
  strictEqual(actual, expected, ...given(message));
}

export function assertAlmostEquals(actual: number, expected: number, tolerance = 1e-7, message?: string): void {
  assert(Math.abs(actual - expected) <= tolerance, message ?? `${actual} is not within ${tolerance} of ${expected}`);
}

export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T> {
  assert(actual !== undefined && actual !== null, message ?? `${actual} is no value`);
}

export function assertInstanceOf<E>(actual: unknown, kind: ErrorClass<E>, message?: string): asserts actual is E {
  assert(actual instanceof kind, message ?? `${actual} is no ${kind.name}`);
}

export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  assert(
    actual.includes(expected),
    message ?? `${JSON.stringify(actual)} does not contain ${JSON.stringify(expected)}`,
  );
}

export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  assert(expected.test(actual), message ?? `${JSON.stringify(actual)} does not match ${expected}`);
}

export function assertGreater<T>(actual: T, limit: T, message?: string): void {
  assert(actual > limit, message ?? `${actual} is not above ${limit}`);
}

export function assertGreaterOrEqual<T>(actual: T, limit: T, message?: string): void {
  assert(actual >= limit, message ?? `${actual} is below ${limit}`);
}

export function assertLess<T>(actual: T, limit: T, message?: string): void {
  assert(actual < limit, message ?? `${actual} is not below ${limit}`);
}

export function assertLessOrEqual<T>(actual: T, limit: T, message?: string): void {
  assert(actual <= limit, message ?? `${actual} is above ${limit}`);
}

export function assertThrows<E extends Error = Error>(
  run: () => unknown,
  kind: ErrorClass<E> = Error as unknown as ErrorClass<E>,
  included = "",
): E {
  try {
    run();
  } catch (error) {
    return checked(error, kind, included);
  }
  fail("the function did not throw");
}

export async function assertRejects<E extends Error = Error>(
  run: () => PromiseLike<unknown>,
  kind: ErrorClass<E> = Error as unknown as ErrorClass<E>,
  included = "",
): Promise<E> {
  try {
    await run();
  } catch (error) {
    return checked(error, kind, included);
  }
  fail("the promise did not reject");
}

function checked<E extends Error>(error: unknown, kind: ErrorClass<E>, included: string): E {
  assertInstanceOf(error, kind);
  assertStringIncludes(error.message, included);
  return error;
}

/** `node:assert` takes no `undefined` for a message. */
function given(message: string | undefined): [] | [string] {
  return message === undefined ? [] : [message];
}
