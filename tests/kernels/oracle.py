"""What every type's blocks mean, according to the gguf package."""

import gguf
import numpy as np


def random_blocks(rng: np.random.Generator, count: int, block_bytes: int, halves: tuple[int, ...]) -> np.ndarray:
    """Blocks of random bytes; a quarter of the half-precision fields hold special values."""
    blocks = rng.integers(0, 256, (count, block_bytes), np.uint8)
    special = np.array([0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0x3C00], "<u2")
    for at in halves:
        chosen = rng.random(count) < 0.25
        picked = special[rng.integers(0, len(special), int(chosen.sum()))]
        blocks[chosen, at:at + 2] = picked.view(np.uint8).reshape(-1, 2)
    return blocks


def dequantise(type_id: int, blocks: np.ndarray) -> np.ndarray:
    """f32 values of raw rows [rows, row bytes]."""
    kind = gguf.GGMLQuantizationType(type_id)
    with np.errstate(all="ignore"):
        if kind == gguf.GGMLQuantizationType.F32:
            return blocks.view("<f4")
        if kind == gguf.GGMLQuantizationType.F16:
            return blocks.view("<f2").astype(np.float32)
        if kind == gguf.GGMLQuantizationType.F64:
            return blocks.view("<f8").astype(np.float32)
        return gguf.quants.dequantize(blocks, kind).astype(np.float32)
