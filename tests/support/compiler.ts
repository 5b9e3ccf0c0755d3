/** A C compiler of this machine, if there is one. */
export async function findCompiler(): Promise<string | undefined> {
  for (const name of ["cc", "clang", "gcc"]) {
    try {
      if ((await new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" }).output()).success) {
        return name;
      }
    } catch {
      // Not this one.
    }
  }
}
