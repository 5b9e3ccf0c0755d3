import type { TensorFacts } from "../facts.ts";
import { COLOURS } from "./style.ts";

/** A type and what of the file is of it. */
export interface TypeShare {
  type: string;
  tensors: number;
  bytes: number;
  /** The class of its colour. */
  colour: string;
}

/** The types of these tensors, the one that takes the most bytes first; it decides the colours. */
export function typeShares(tensors: readonly TensorFacts[]): TypeShare[] {
  const shares = new Map<string, TypeShare>();
  for (const { type, bytes } of tensors) {
    const share = shares.get(type) ?? { type, tensors: 0, bytes: 0, colour: "" };
    share.tensors += 1;
    share.bytes += bytes;
    shares.set(type, share);
  }
  return [...shares.values()]
    .sort((left, right) => right.bytes - left.bytes)
    .map((share, rank) => ({ ...share, colour: `type${Math.min(rank, COLOURS)}` }));
}
