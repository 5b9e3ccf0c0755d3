import { Failure, failure } from "../cli/failure.ts";

/** What Deno must allow, and for what. */
export type Permission =
  | { name: "read" | "write"; path?: string }
  | { name: "net"; host: string }
  | { name: "run"; command: string }
  | { name: "env"; variable: string };

/** Makes sure of all permissions before any work. On a terminal Deno asks; what is missing then is told at once. */
export function assertAllowed(action: string, permissions: readonly Permission[]): void {
  const missing = permissions.filter((permission) => !isAllowed(permission));
  if (missing.length > 0) throw notAllowed(action, missing);
}

/** Whether Deno allows it, if need be after asking. */
export function isAllowed(permission: Permission): boolean {
  return Deno.permissions.requestSync(permission).state === "granted";
}

/** The failure of an action that Deno does not allow without these permissions. */
export function notAllowed(action: string, permissions: readonly Permission[]): Failure {
  return new Failure(`Cannot ${action}: Deno may not do all that it takes, run with ${flags(permissions)}`);
}

/** The flags that grant the permissions, as a shell reads them. */
export function flags(permissions: readonly { name: string }[]): string {
  const groups = Map.groupBy(permissions, ({ name }) => name);
  return [...groups].map(([name, group]) => flag(name, group.flatMap(valuesOf))).join(" ");
}

function valuesOf(permission: { name: string }): string[] {
  return Object.entries(permission).filter(([key]) => key !== "name").map(([, value]) => value);
}

function flag(name: string, values: readonly string[]): string {
  if (values.length === 0) return `--allow-${name}`;
  const list = values.map((value) => value.replaceAll(",", ",,")).join(","); // in Deno's lists a comma is written twice
  return `--allow-${name}=${/^[\w@%+=:,./-]+$/.test(list) ? list : `'${list.replaceAll("'", `'\\''`)}'`}`;
}

/** Does the work; anything but a `Failure` that it throws is told as a failure of `action`, with the flag that helps. */
export async function attempt<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : explain(action, error);
  }
}

function explain(action: string, cause: unknown): Failure {
  const denied = cause instanceof Deno.errors.NotCapable && /^Requires (\w+) access to "(.+)",/.exec(cause.message);
  if (!denied) return failure(action, cause);
  const [, name, value] = denied as unknown as [string, string, string];
  return new Failure(`Cannot ${action}: Deno may not do so, run with ${flag(name, [value])}`, { cause });
}
