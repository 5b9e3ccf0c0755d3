/**
 * The real models that `scripts/setup --tests` installs, and why one is missing.
 * @module
 */
import { fileURLToPath } from "node:url";

/** A model file of the tests. Use `ignore: !model.available` where a test needs it. */
export interface TestModel {
  path: string;
  available: boolean;
  /** Why it is not available; empty where it is. */
  reason: string;
}

/** SmolLM2-135M-Instruct: token table Q8_0 [576, 49152], tied; other tensors Q4_1 and F32. */
export const smollm2: TestModel = find("smollm2", "scripts/setup");
/** Gemma 3 270M: token table Q8_0 [640, 262144]; other tensors Q5_0, Q4_K, Q6_K, Q8_0, F32. */
export const gemma3: TestModel = find("gemma3", "scripts/setup --tests");

function find(name: string, command: string): TestModel {
  const path = fileURLToPath(new URL(`../../.muser/models/${name}.gguf`, import.meta.url));
  const available = exists(path);
  return { path, available, reason: available ? "" : `${path} is not there, run ${command}` };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
