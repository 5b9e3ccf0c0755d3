/** Token ids as they are found, with the place of each in the text where that is asked for. */
export class Output {
  length = 0;
  #ids = new Uint32Array(64);
  #offsets: Float64Array | undefined;

  constructor(withOffsets: boolean) {
    if (withOffsets) this.#offsets = new Float64Array(64);
  }

  /** Adds a token that begins at a byte of the text. */
  push(id: number, offset: number): void {
    if (this.length === this.#ids.length) this.#grow();
    this.#ids[this.length] = id;
    if (this.#offsets) this.#offsets[this.length] = offset;
    this.length++;
  }

  #grow(): void {
    const ids = new Uint32Array(this.length * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    if (!this.#offsets) return;
    const offsets = new Float64Array(this.length * 2);
    offsets.set(this.#offsets);
    this.#offsets = offsets;
  }

  /** Changes the places of the tokens from `first` on. */
  moveFrom(first: number, place: (offset: number) => number): void {
    if (!this.#offsets) return;
    for (let at = first; at < this.length; at++) this.#offsets[at] = place(this.#offsets[at]!);
  }

  /** A copy of the ids; they are forgotten. */
  take(): Uint32Array<ArrayBuffer> {
    const ids = this.#ids.slice(0, this.length);
    this.length = 0;
    return ids;
  }

  /** A copy of the places, before {@linkcode take}. */
  offsets(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#offsets?.subarray(0, this.length) ?? []);
  }
}
