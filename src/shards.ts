import { MuserError } from "./errors.ts";
import { assertReadable } from "./paths.ts";

/** The name of a part: what all parts share, its number from 1, how many there are. */
const PART = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/s;

/** How many missing parts a message names. */
const MOST_NAMED = 10;

/**
 * Opens a file, and all its siblings where it turns out to be a part of a split model. The file says whether it is one;
 * its name only says what the others are called.
 *
 * @param path The file, which may be read.
 * @param open Opens a model that lies in these files.
 */
export async function openWhole<Opened>(path: string, open: (paths: string[]) => Promise<Opened>): Promise<Opened> {
  try {
    return await open([path]);
  } catch (error) {
    if (!(error instanceof MuserError && error.code === "split" && PART.test(path))) throw error;
    const paths = siblings(path);
    await assertAllReadable(path, paths);
    return await open(paths);
  }
}

/** The paths of all parts, by the name of one. Links keep their own names: what they point to may have any. */
function siblings(path: string): string[] {
  const [, prefix, , count] = PART.exec(path)!;
  return Array.from(
    { length: Number(count) },
    (_, index) => `${prefix}-${String(index + 1).padStart(5, "0")}-of-${count}.gguf`,
  );
}

async function assertAllReadable(path: string, paths: string[]): Promise<void> {
  const missing: string[] = [];
  for (const part of paths) {
    try {
      await assertReadable(part);
    } catch (error) {
      if (!(error instanceof MuserError && error.code === "not-found")) throw error;
      missing.push(part);
    }
    // A name may speak of 99,999 parts.
    if (missing.length > MOST_NAMED) break;
  }
  if (missing.length === 0) return;
  const names = missing.slice(0, MOST_NAMED).map((part) => `"${part}"`).join(", ") +
    (missing.length > MOST_NAMED ? " and others" : "");
  throw new MuserError("split", `Cannot open "${path}": the parts ${names} are missing, put them beside it`);
}
