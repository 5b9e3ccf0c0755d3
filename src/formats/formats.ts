/**
 * File formats for rows, as pure encoders: rows in, bytes out, nothing opened and nothing kept.
 *
 * @module
 */
import type { Format } from "./encoder.ts";
import { json, jsonl } from "./json.ts";
import { npy } from "./npy.ts";
import { raw } from "./raw.ts";
import { safetensors } from "./safetensors.ts";
import { text } from "./text.ts";

export type { Encoder, Format, Shape, Values } from "./encoder.ts";

/** Every format by its name. */
export const formats = { text, json, jsonl, npy, safetensors, raw } as const satisfies Record<string, Format>;

/** The name of a format. */
export type FormatName = keyof typeof formats;
