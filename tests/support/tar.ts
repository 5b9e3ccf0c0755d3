const BLOCK = 512;

/** The files of a tar archive by path, each beginning with one slash. Names longer than 255 bytes are not read. */
export async function untar(
  archive: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const bytes = await new Response(archive).bytes();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 0; bytes[at] !== undefined && bytes[at] !== 0;) {
    const field = (start: number, length: number): string =>
      new TextDecoder().decode(bytes.subarray(at + start, at + start + length)).replace(/\0.*$/s, "");
    const size = parseInt(field(124, 12), 8);
    const path = `${field(345, 155)}/${field(0, 100)}`.replace(/^[./]*/, "/");
    at += BLOCK;
    files.set(path, bytes.slice(at, at + size));
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
