import { failure } from "./failure.ts";

/** Bytes read at once. */
const PIECE_BYTES = 64 * 1024;

/** A piece of a file, to be used before the next one is asked for. */
export interface Piece {
  bytes: Uint8Array;
  /** Which part of the whole has been read with it, from 0 to 1; `undefined` where that is not known. */
  share: number | undefined;
}

/**
 * Reads a file or pipe piece by piece, as its bytes arrive.
 *
 * @param path The file; `-` is standard input.
 * @param what What is read, for messages.
 */
export async function* readPieces(path: string, what: string): AsyncGenerator<Piece> {
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failure(`read ${what} from "${path}"`, error);
    }
  };
  using file = await attempt(() => open(path));
  const buffer = new Uint8Array(PIECE_BYTES);
  for (let done = 0;;) {
    const read = await attempt(() => file.read(buffer));
    if (read === null) return;
    done += read;
    yield { bytes: buffer.subarray(0, read), share: file.size === undefined ? undefined : done / file.size };
  }
}

interface Source extends Disposable {
  /** Bytes in all, where that is known. */
  size: number | undefined;
  read(buffer: Uint8Array): Promise<number | null>;
}

async function open(path: string): Promise<Source> {
  if (path === "-" || path === "/dev/stdin") {
    return { size: undefined, read: (buffer) => Deno.stdin.read(buffer), [Symbol.dispose](): void {} };
  }
  const file = await Deno.open(path);
  const { isFile, size } = file.statSync();
  return {
    size: isFile && size > 0 ? size : undefined,
    read: (buffer) => file.read(buffer),
    [Symbol.dispose]: () => file.close(),
  };
}
