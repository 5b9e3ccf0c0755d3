"""What the blocks of every type mean, by programs that are not ours: the gguf package, and ggml's values kept in
golden/ (the only witness for the types that gguf does not know)."""

import pathlib

import gguf
import numpy as np

from harness import Type

GOLDEN = pathlib.Path(__file__).parent / "golden"

# Where a block's half-precision fields are; elsewhere d is at 0.
HALVES = {
    "Q4_1": (0, 2), "Q5_1": (0, 2), "Q2_K": (80, 82), "Q3_K": (108,), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,),
    "TQ1_0": (52,), "TQ2_0": (64,), "MXFP4": (), "NVFP4": (), "IQ1_M": (), "F32": (), "F64": (), "BF16": (),
}
PLAIN = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}


def knows(kind: Type) -> bool:
    """Whether the gguf package decodes a type."""
    return kind.name in PLAIN or getattr(gguf.GGMLQuantizationType, kind.name, None) in gguf.quants._type_traits


def dequantise(kind: Type, rows: np.ndarray) -> np.ndarray:
    """f32 values [rows, columns] of raw rows [rows, row bytes]."""
    with np.errstate(all="ignore"):
        if kind.name in PLAIN:
            return rows.view(PLAIN[kind.name]).astype(np.float32)
        # As one row: the package takes its time for each.
        values = gguf.quants.dequantize(rows.reshape(1, -1), gguf.GGMLQuantizationType[kind.name])
        return values.astype(np.float32, copy=False).reshape(len(rows), -1)


def golden(kind: Type) -> tuple[np.ndarray, np.ndarray]:
    """Blocks [n, block bytes] and what ggml made of them [n, values a block]."""
    kept = np.load(GOLDEN / f"{kind.name.lower()}.npz")
    return kept["blocks"], kept["values"]


def random_blocks(kind: Type, rng: np.random.Generator, count: int) -> np.ndarray:
    """Blocks of random bytes. The half-precision fields run through all patterns, more often through special ones."""
    blocks = rng.integers(0, 256, (count, kind.bytes), np.uint8)
    special = np.array([0, 0x8000, 1, 0x83FF, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFFFF, 0x3C00], "<u2")
    for at in HALVES.get(kind.name, (0,)):
        halves = np.resize(np.arange(65536, dtype="<u2"), count)
        if count < 65536:
            halves = rng.integers(0, 65536, count).astype("<u2")
            chosen = rng.random(count) < 0.25
            halves[chosen] = rng.choice(special, int(chosen.sum()))
        rng.shuffle(halves)
        blocks[:, at:at + 2] = halves.view(np.uint8).reshape(-1, 2)
    if kind.name == "MXFP4":  # the powers that are subnormal
        blocks[::5, 0] = rng.integers(0, 4, len(blocks[::5]))
    return blocks


def random_rows(kind: Type, rng: np.random.Generator, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Raw rows and their values. Of a type that only ggml knows, rows are made of the golden blocks."""
    count = rows * columns // kind.values
    if knows(kind):
        raw = random_blocks(kind, rng, count).reshape(rows, -1)
        return raw, dequantise(kind, raw)
    blocks, values = golden(kind)
    chosen = rng.integers(0, len(blocks), count)
    return blocks[chosen].reshape(rows, -1), values[chosen].reshape(rows, -1)
