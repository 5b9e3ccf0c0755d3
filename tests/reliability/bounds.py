#!/usr/bin/env python3
"""Measures what opening the largest headers takes: bounds.py [FOLDER]. Prints JSON, one line a header (Linux).

extra is by how many bytes the process grew at most, beyond the header itself; seconds are of the processor.
"""

import ctypes
import json
import os
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "fuzz"))
from library import Library  # noqa: E402
from seeds import array, file, string, text  # noqa: E402


def tensors(numbers: Iterator[int]) -> bytes:
    """Records of one I8 value each, 32 bytes apart."""
    return b"".join(text(f"t{number}") + struct.pack("<IQIQ", 1, 1, 24, number * 32) for number in numbers)


def many_tensors(count: int, numbers: Iterator[int]) -> bytes:
    head = struct.pack("<4sIQQ", b"GGUF", 3, count, 0) + tensors(numbers)
    return head + bytes(-len(head) % 32)


def headers() -> Iterator[tuple[str, bytes, int]]:
    """A title, a header, and how many bytes of data follow it."""
    most = 1_000_000
    yield "100,000 keys", file([text(f"key {number}") + struct.pack("<IB", 0, 1) for number in range(100_000)], []), 0
    yield "1,000,000 tensors backwards", many_tensors(most, reversed(range(most))), most * 32
    yield "100,000 keys and 1,000,000 equal tensors", equal_tensors(most), most * 32
    yield "an array of 16 Mi bytes", file([text("a") + struct.pack("<IIQ", 9, 0, 1 << 24) + bytes(1 << 24)], []), 0
    yield "an array of 2 Mi empty texts", file([array("a", 8, [bytes(8)] * (1 << 21))], []), 0
    yield "a text of 16 MiB", file([string("a", bytes(1 << 24))], []), 0


def equal_tensors(count: int) -> bytes:
    """The last name is there twice, which is known only at the end."""
    pairs = b"".join(text(f"key {number}") + struct.pack("<IB", 0, 1) for number in range(100_000))
    return struct.pack("<4sIQQ", b"GGUF", 3, count, 100_000) + pairs + tensors(range(count - 1)) + tensors(iter([0]))


def peak() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def measure(library: Library, path: Path, mapped: bool) -> dict:
    """In a process of its own, so that nothing is there before."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        Path("/proc/self/clear_refs").write_text("5")
        before, begin = peak(), time.process_time()
        model = library.symbols.muser_model_open(os.fsencode(path) + b"\0", 1, b"cpu\0", int(mapped), ctypes.c_uint64(0), None, library.error)
        took = time.process_time() - begin
        code = "" if model else library.refusal().code
        os.write(writing, json.dumps({"grown": peak() - before, "seconds": round(took, 3), "code": code}).encode())
        os._exit(0)
    os.wait()
    return json.loads(os.read(reading, 1000))


def main() -> None:
    library = Library()
    library.read(file([], []))  # the library's own code is in memory before the first count
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        path = Path(folder) / "model.gguf"
        for title, header, data in headers():
            path.write_bytes(header)
            os.truncate(path, len(header) + data)
            for mapped in (True, False):
                # The quickest of three: a busy machine slows the processor, too.
                facts = min((measure(library, path, mapped) for _ in range(3)), key=lambda it: it["seconds"])
                extra = facts.pop("grown") - len(header)
                print(json.dumps({"title": title, "mapped": mapped, "header": len(header), "extra": extra, **facts}), flush=True)


main()
