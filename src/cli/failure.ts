/** The command line itself is wrong; ends with status 2 and a hint. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The work could not be done, for a reason that is not an error of the library; ends with status 1. */
export class Failure extends Error {
  override readonly name = "Failure";
}

/** The reader of standard output has gone; not an error. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe";
}

/** A `Failure` for an error of Deno's own functions; `action` completes "Cannot …". */
export function failure(action: string, cause: unknown): Failure {
  return new Failure(`Cannot ${action}: ${reason(cause)}`, { cause });
}

function reason(cause: unknown): string {
  const message = messageOf(cause);
  if (cause instanceof Deno.errors.NotCapable) {
    return `Deno may not do so, run with ${/--allow-\w+/.exec(message)?.[0] ?? "more permissions"}`;
  }
  if (cause instanceof Deno.errors.NotFound) return "there is no such file or folder, check the path";
  if (cause instanceof Deno.errors.PermissionDenied) return "the system denies it, check the permissions";
  if (cause instanceof Deno.errors.IsADirectory) return "it is a directory, name a file";
  return message.replace(/ \(os error \d+\).*/s, "");
}

/** The message of anything that was thrown, in one line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replace(/\s*\n\s*/g, " ");
}
