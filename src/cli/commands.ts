import { bench } from "./bench.ts";
import type { Command } from "./command.ts";
import { completionsOf } from "./completions.ts";
import { devices } from "./devices.ts";
import { detokenize } from "./detokenize.ts";
import { embed } from "./embed.ts";
import { inspect } from "./inspect.ts";
import { tokenize } from "./tokenize.ts";
import { verify } from "./verify.ts";

const working: readonly Command[] = [inspect, embed, tokenize, detokenize, devices, verify, bench];

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [...working, completionsOf(working)];
