"""The native library from Python, in one process with the gguf package."""

import ctypes
import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ERROR_BYTES = 2048


@dataclass
class Refusal(Exception):
    code: str
    message: str


class Library:
    """libMuser, and a file in memory that it opens."""

    def __init__(self) -> None:
        path = os.environ.get("MUSER_LIBRARY", str(ROOT / ".muser/lib/libMuser.so"))
        self.symbols = ctypes.CDLL(path)
        self.symbols.muser_model_open.restype = ctypes.c_void_p
        self.error = ctypes.create_string_buffer(ERROR_BYTES)
        self.text = ctypes.create_string_buffer(1 << 20)
        self.file = os.memfd_create("model")
        self.path = f"/proc/self/fd/{self.file}".encode() + b"\0"

    def read(self, content: bytes, mapped: bool = True) -> dict:
        """What the library says of a file with this content; raises Refusal."""
        os.truncate(self.file, 0)
        os.pwrite(self.file, content, 0)
        model = self.symbols.muser_model_open(self.path, 1, b"cpu\0", int(mapped), ctypes.c_uint64(0), None, self.error)
        if model is None:
            raise self.refusal()
        try:
            return self.describe(ctypes.c_void_p(model), content)
        finally:
            self.symbols.muser_model_close(ctypes.c_void_p(model))

    def describe(self, model: ctypes.c_void_p, content: bytes) -> dict:
        length = self.symbols.muser_model_describe(model, self.text, len(self.text), self.error)
        if length < 0:
            raise self.refusal()
        if length > len(self.text):
            self.text = ctypes.create_string_buffer(length)
            return self.describe(model, content)
        facts = json.loads(self.text.raw[:length])
        for entry in facts["metadata"]:
            entry["value"] = content[entry["offset"] : entry["offset"] + entry["bytes"]]
        return facts

    def refusal(self) -> Refusal:
        code, message = self.error.value.decode().split("\n", 1)
        return Refusal(code, message)
