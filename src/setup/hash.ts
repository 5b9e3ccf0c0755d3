/** The file's SHA-256 in hexadecimal; `undefined` where there is none. */
export async function hashOf(path: string): Promise<string | undefined> {
  try {
    return await sha256(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** The SHA-256 of the bytes in hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
