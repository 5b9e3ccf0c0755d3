"""What the gguf package reads in a file, in the words of the native library, and where the two differ on purpose."""

import logging
import signal
import struct

import gguf.gguf_reader
import numpy as np
from gguf import GGUFReader, GGUFValueType

logging.disable(logging.CRITICAL)

# The package maps a file; here it is given the bytes.
gguf.gguf_reader.np.memmap = lambda content, mode: np.frombuffer(content, np.uint8)

NAMES = {
    "UINT8": "uint8", "INT8": "int8", "UINT16": "uint16", "INT16": "int16", "UINT32": "uint32", "INT32": "int32",
    "FLOAT32": "float32", "BOOL": "bool", "STRING": "string", "ARRAY": "array", "UINT64": "uint64", "INT64": "int64",
    "FLOAT64": "float64",
}  # fmt: skip

# Files that the package reads and the library refuses with this code, and why.
REFUSED_ON_PURPOSE = {
    "alignment": "the library stops at 1 MiB",
    "array": "the library stops at 16 Mi elements",
    "byte-order": "the package reads big-endian files too",
    "count": "the package does not compare counts with the file's length",
    "duplicate": "the package renames the second key",
    "kv-type": "the package flattens arrays of arrays",
    "overlap": "the package does not compare tensors with one another",
    "range": "the package does not ask for aligned offsets, nor for the place of empty tensors",
    "row": "the package allows a scalar of a type with blocks",
    "shape": "the package has no limit of dimensions, and its products wrap; a width that the metadata contradicts is refused",
    "split": "the package does not know parts",
    "string": "the package allows empty keys and names, and longer ones",
}

# Files that the library reads and the package does not, by the beginning of its message.
READ_ON_PURPOSE = {
    "UnicodeDecodeError": "names and texts need not be UTF-8",
    "is not a valid GGMLQuantizationType": "a type that nobody knows is kept as it is",
    "cannot reshape array": "a type that only the package knows has no length that could be compared",
    "tuple index out of range": "the package does not read tensors without dimensions",
    "array is too big": "an empty tensor may have dimensions of which NumPy has no array",
    "not a multiple of type": "a type that only the package knows has no blocks that could be compared",
}


# Far more than the package takes for a small file that is sound.
LONGEST = 0.2


class TooSlow(Exception):
    pass


def read(content: bytes) -> dict:
    """The package's answer; raises whatever it raises, TooSlow after `LONGEST` seconds of the processor."""

    def stop(*_) -> None:
        raise TooSlow

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        with np.errstate(all="ignore"):
            return facts(GGUFReader(content))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def facts(reader: GGUFReader) -> dict:
    fields = [(key, field) for key, field in reader.fields.items() if not key.startswith("GGUF.")]
    return {
        "version": int(reader.fields["GGUF.version"].parts[0][0]),
        "alignment": int(reader.alignment),
        "dataOffset": int(reader.data_offset),
        "metadata": [entry(key, field) for key, field in fields],
        "tensors": [
            {
                "name": it.name,
                "type": it.tensor_type.name,
                "dimensions": [int(length) for length in it.shape],
                "offset": int(it.data_offset),
                "bytes": int(it.n_bytes),
            }
            for it in reader.tensors
        ],
    }


def entry(key: str, field) -> dict:
    """A key, its type and its value's bytes."""
    kind = field.types[0]
    parts = [field.parts[index] for index in field.data]
    if kind != GGUFValueType.ARRAY:
        element, count = "", 1
        value = parts[0].tobytes()
        if kind == GGUFValueType.STRING:
            value = struct.pack("<Q", len(value)) + value
    else:
        # An empty array's element type is not kept.
        element, count = NAMES[field.types[-1].name] if len(field.types) > 1 else None, len(parts)
        texts = field.types[-1] == GGUFValueType.STRING
        value = b"".join((struct.pack("<Q", len(it)) if texts else b"") + it.tobytes() for it in parts)
    return {"key": key, "type": NAMES[kind.name], "element": element, "count": count, "value": value}


def same(ours: dict, theirs: dict) -> str:
    """Nothing where both answers are the same, else the first fact that differs."""
    for name in ("version", "alignment", "dataOffset"):
        if ours[name] != theirs[name]:
            return f"{name} {ours[name]} and {theirs[name]}"
    for name in ("metadata", "tensors"):
        if len(ours[name]) != len(theirs[name]):
            return f"{len(ours[name])} and {len(theirs[name])} {name}"
        for mine, other in zip(ours[name], theirs[name], strict=True):
            for fact, value in other.items():
                known = not (name == "tensors" and mine["type"].startswith("type "))
                if value is not None and mine[fact] != value and known:
                    return f"{fact} {mine[fact]} and {value} of {other}"
    return ""
