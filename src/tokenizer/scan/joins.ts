import type { TokenTable } from "../tokens.ts";
import { isContinuation } from "../utf8.ts";
import type { Scan } from "./common.ts";

/** Which two bytes stand next to each other, at a border of characters, in a token that merges can build. */
export class Joins {
  readonly #pairs = new Uint8Array(0x10000);

  constructor({ size, bytes, starts, lengths, mergeable }: TokenTable) {
    for (let id = 0; id < size; id++) {
      if (mergeable[id] !== 1) continue;
      const end = starts[id]! + lengths[id]!;
      for (let at = starts[id]! + 1; at < end; at++) {
        if (!isContinuation(bytes[at])) this.#pairs[bytes[at - 1]! << 8 | bytes[at]!] = 1;
      }
    }
  }

  /** Whether a token may hold these two bytes in a row. */
  has(left: number, right: number): boolean {
    return this.#pairs[left << 8 | right] === 1;
  }

  /** Cuts text where no token can lie across: merges give the same tokens for the pieces as for the whole. */
  readonly scan: Scan = (text, start, end) => {
    let at = start + 1;
    while (at < end && (isContinuation(text[at]) || this.#pairs[text[at - 1]! << 8 | text[at]!] === 1)) at++;
    return at;
  };
}
