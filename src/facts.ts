import type { MetadataEntry } from "./metadata.ts";

/** The tensor that holds the vectors of tokens. */
export const TOKEN_TABLE = "token_embd.weight";
/** The tensor of an untied head. */
export const HEAD_TABLE = "output.weight";

/** Facts of an open model. */
export interface ModelFacts {
  /** Version of the file format. */
  readonly version: number;
  /** Bytes of the whole file, of all files together for a split model. */
  readonly size: number;
  /** Where the GGUF begins in the file, in bytes. */
  readonly offset: number;
  /** What the places of tensors are multiples of, in bytes. */
  readonly alignment: number;
  /** Where tensor data begins, in bytes from the GGUF's start. */
  readonly dataOffset: number;
  /** Whether the file is mapped; else rows are read. */
  readonly mapped: boolean;
  /** Name of the device that serves the model. */
  readonly device: string;
  /** `general.architecture`, such as `llama`; `""` where the file does not say. */
  readonly architecture: string;
  /** The files of the model: one, or the parts that it was split into, in order. */
  readonly split: { readonly count: number; readonly paths: readonly string[] };
}

/** A tensor as the file describes it. */
export interface TensorFacts {
  /** Its name. */
  readonly name: string;
  /** Its type, such as `Q4_K`; `type 99` where the number is not known. */
  readonly type: string;
  /** Lengths of its dimensions; the first is the one whose values are contiguous. */
  readonly dimensions: readonly number[];
  /** Which of the model's files it lies in; 0 for a model of one file. */
  readonly shard: number;
  /** Where its data begins, in bytes from the start of that file's GGUF. */
  readonly offset: number;
  /** Bytes of its data; 0 where the type is not known. */
  readonly bytes: number;
}

/** A two-dimensional tensor as a table of rows. */
export interface TableFacts {
  /** Name of the tensor. */
  name: string;
  /** Its type. */
  type: string;
  /** Values a row. */
  columns: number;
  /** How many rows there are. */
  rows: number;
  /** Bytes from one row to the next. */
  rowBytes: number;
  /** Bytes of all rows. */
  bytes: number;
  /** Which of the model's files it lies in, from 0. */
  shard: number;
  /** From the start of that file's GGUF, in bytes. */
  offset: number;
  /** The kernel that looks its rows up. */
  kernel: string;
}

/** What the native library says about a model. */
export interface ModelDescription extends ModelFacts {
  readonly metadata: readonly MetadataEntry[];
  readonly tensors: readonly TensorFacts[];
}
