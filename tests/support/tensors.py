"""The oracle's side: what the gguf package reads and dequantises.

tensors.py rows PATH TENSOR < ids (u32)     > values (f32)
tensors.py decode TYPE < encoded blocks     > values (f32)
tensors.py header PATH                      > JSON
"""

import json
import sys

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType
from gguf.constants import GGML_QUANT_SIZES
from gguf.quants import dequantize


class TensorReader(GGUFReader):
    """The package's reader, which steps over arrays instead of making objects of each element: seconds a file."""

    def __init__(self, path):
        self.arrays = []  # element type and count, in the order of the file
        super().__init__(path)

    def _get_field_parts(self, orig_offs, raw_type):
        if raw_type != GGUFValueType.ARRAY:
            return super()._get_field_parts(orig_offs, raw_type)
        element = int(self._get(orig_offs, np.uint32)[0])
        count = int(self._get(orig_offs + 4, np.uint64)[0])
        at = orig_offs + 12
        self.arrays.append((GGUFValueType(element), count))
        if element == GGUFValueType.STRING:
            data = memoryview(self.data)
            for _ in range(count):
                at += 8 + int.from_bytes(data[at : at + 8], "little")
        else:
            at += count * np.dtype(self.gguf_scalar_to_np[element]).itemsize
        return at - orig_offs, [], [], [GGUFValueType.ARRAY]


def values(encoded: np.ndarray, kind: GGMLQuantizationType) -> np.ndarray:
    """F32 values of encoded rows [n, row bytes]."""
    if kind == GGMLQuantizationType.F32:
        return encoded.view(np.float32)
    if kind == GGMLQuantizationType.F16:
        return encoded.view(np.float16).astype(np.float32)
    with np.errstate(all="ignore"):  # scales may be infinite or NaN
        return dequantize(encoded, kind)


def rows(path: str, name: str) -> None:
    tensor = next(it for it in TensorReader(path).tensors if it.name == name)
    columns = int(tensor.shape[0])
    block_values, block_bytes = GGML_QUANT_SIZES[tensor.tensor_type]
    encoded = tensor.data.reshape(-1).view(np.uint8).reshape(-1, columns // block_values * block_bytes)
    ids = np.frombuffer(sys.stdin.buffer.read(), np.uint32)
    sys.stdout.buffer.write(values(encoded[ids], tensor.tensor_type).astype(np.float32).tobytes())


def decode(name: str) -> None:
    kind = GGMLQuantizationType[name]
    encoded = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(-1, GGML_QUANT_SIZES[kind][1])
    sys.stdout.buffer.write(values(encoded, kind).astype(np.float32).tobytes())


def header(path: str) -> None:
    reader = TensorReader(path)
    arrays = iter(reader.arrays)

    def fact(field) -> object:
        if field.types[0] != GGUFValueType.ARRAY:
            value = field.contents()
            return value.item() if isinstance(value, np.generic) else value
        element, count = next(arrays)
        return {"element": element.name.lower(), "count": count}

    # The reader adds what it read before the metadata under keys of its own.
    metadata = {key: fact(field) for key, field in reader.fields.items() if not key.startswith("GGUF.")}
    tensors = [
        {
            "name": it.name,
            "type": it.tensor_type.name,
            "dimensions": [int(size) for size in it.shape],
            "offset": int(it.data_offset),
            "bytes": int(it.n_bytes),
        }
        for it in reader.tensors
    ]
    version = int(reader.fields["GGUF.version"].parts[0][0])
    print(json.dumps({"version": version, "dataOffset": int(reader.data_offset), "metadata": metadata, "tensors": tensors}))


if __name__ == "__main__":
    {"rows": rows, "decode": decode, "header": header}[sys.argv[1]](*sys.argv[2:])
