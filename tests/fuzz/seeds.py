#!/usr/bin/env python3
"""Writes ten sound files of 1 to 4 KB, each with other features of the format: seeds.py FOLDER."""

import struct
import sys
from pathlib import Path

SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
# Type: (values a block, bytes a block).
BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 8: (32, 34), 12: (256, 144), 14: (256, 210), 24: (1, 1), 27: (1, 8), 30: (1, 2)}


def text(value: str | bytes) -> bytes:
    value = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(value)) + value


def u32(key: str, value: int) -> bytes:
    return text(key) + struct.pack("<II", 4, value)


def string(key: str, value: str | bytes) -> bytes:
    return text(key) + struct.pack("<I", 8) + text(value)


def scalar(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def array(key: str, kind: int, values: list[bytes]) -> bytes:
    return text(key) + struct.pack("<IIQ", 9, kind, len(values)) + b"".join(values)


def size(kind: int, shape: tuple[int, ...]) -> int:
    values, length = BLOCKS.get(kind, (1, 0))
    count = 1
    for dimension in shape:
        count *= dimension
    return count // values * length


def file(pairs: list[bytes], tensors: list[tuple[str, int, tuple[int, ...]]], alignment: int = 32, version: int = 3) -> bytes:
    head = struct.pack("<4sIQQ", b"GGUF", version, len(tensors), len(pairs)) + b"".join(pairs)
    data = b""
    for name, kind, shape in tensors:
        data += bytes(-len(data) % alignment)
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, len(data))
        data += bytes((index * 7 + len(name)) % 251 for index in range(size(kind, shape)))
    return head + bytes(-len(head) % alignment) + data + bytes(-len(data) % alignment)


def every_scalar() -> list[bytes]:
    return [scalar(f"value.{kind}", kind, bytes(range(1, length + 1))) for kind, length in SIZES.items()]


def every_array() -> list[bytes]:
    return [array(f"list.{kind}", kind, [bytes(range(1, length + 1))] * 3) for kind, length in SIZES.items()]


LLAMA = [string("general.architecture", "llama"), u32("llama.embedding_length", 32)]
TOKENS = array("tokenizer.ggml.tokens", 8, [text(f"token {number}") for number in range(40)])

FILES = {
    "llama": file([*LLAMA, TOKENS], [("token_embd.weight", 0, (32, 16)), ("output_norm.weight", 0, (32,))]),
    "q8": file(LLAMA, [("token_embd.weight", 8, (32, 24)), ("output.weight", 8, (32, 24))]),
    "q4k": file([string("general.architecture", "a"), u32("a.embedding_length", 256)], [("token_embd.weight", 12, (256, 8))]),
    "scalars": file(every_scalar(), [("half", 1, (17, 29)), ("brain", 30, (11, 5)), ("small", 24, (7,))]),
    "arrays": file([*every_array(), array("texts", 8, [text(""), text("a"), text("über" * 9)])], [("t", 0, (17, 9))]),
    "alignment-1": file([u32("general.alignment", 1), string("name", "x" * 33)], [("a", 24, (3,)), ("b", 1, (5, 99)), ("c", 0, (2,))], 1),
    "alignment-1024": file([u32("general.alignment", 1024)], [("a", 0, (4, 4)), ("b", 24, (9,))], 1024),
    "empty-and-unknown": file([], [("empty", 0, (4, 0)), ("unknown", 200, (4, 4)), ("scalar", 0, ()), ("four", 0, (4, 4, 4, 4))]),
    "names": file([scalar("k" * 255, 7, b"\1"), string("not text", b"\xff\xfe\x00\x80")], [("n" * 63, 0, (64, 2)), ("n" * 62 + "m", 14, (256, 2))]),
    "version-2": file([u32("split.count", 1), scalar("split.no", 2, b"\0\0"), *LLAMA], [("token_embd.weight", 2, (32, 64))], 32, 2),
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in FILES.items():
        assert 1000 <= len(content) <= 4096, (name, len(content))
        (folder / f"{name}.gguf").write_bytes(content)
