"""What the examples should say, by NumPy and the gguf package.

examples_witness.py nearest MODEL ID COUNT       > JSON [[id, cosine], …]
examples_witness.py normalised MODEL ID…         > JSON [[value, …], …], the first four values of each row
examples_witness.py npy FILE                     > JSON { shape, type, values: SHA-256 }
examples_witness.py safetensors                  < a file, > JSON { name: { shape, values: SHA-256 } }
examples_witness.py requantise MODEL TYPE OUTPUT > JSON { rows, mean, worst, largest }, and the token table as a new file
"""

import hashlib
import json
import struct
import sys
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter
from gguf.quants import dequantize, quantize

sys.path.append(str(Path(__file__).parent / "support"))
from tensors import TensorReader  # noqa: E402


def table(path: str) -> np.ndarray:
    tensor = next(it for it in TensorReader(path).tensors if it.name == "token_embd.weight")
    return dequantize(tensor.data, tensor.tensor_type)


def nearest(path: str, token: str, count: str) -> object:
    rows = table(path).astype(np.float64)
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    similar = unit @ unit[int(token)]
    best = np.argsort(-similar, kind="stable")[: int(count)]
    return [[int(it), float(similar[it])] for it in best]


def normalised(path: str, *ids: str) -> object:
    field = TensorReader(path).get_field("llama.attention.layer_norm_rms_epsilon")
    rows = table(path)[[int(it) for it in ids]].astype(np.float64)
    return (rows / np.sqrt((rows**2).mean(axis=1, keepdims=True) + field.contents()))[:, :4].tolist()


def npy(path: str) -> object:
    values = np.load(path)
    return {"shape": values.shape, "type": values.dtype.str, "values": sha256(values.tobytes())}


def safetensors() -> object:
    data = sys.stdin.buffer.read()
    (length,) = struct.unpack("<Q", data[:8])
    tensors = json.loads(data[8 : 8 + length])
    values = data[8 + length :]
    assert length % 8 == 0 and len(values) == max(it["data_offsets"][1] for it in tensors.values())
    return {
        name: {"type": it["dtype"], "shape": it["shape"], "values": sha256(values[slice(*it["data_offsets"])])}
        for name, it in tensors.items()
    }


def requantise(path: str, name: str, output: str) -> object:
    kind = GGMLQuantizationType[name]
    rows = table(path)
    encoded = quantize(rows, kind)
    writer = GGUFWriter(output, "llama")
    writer.add_tensor("token_embd.weight", encoded, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    errors = np.linalg.norm(rows.astype(np.float64) - dequantize(encoded, kind), axis=1) / np.maximum(lengths, 1e-300)
    worst = int(errors.argmax())
    return {"rows": len(rows), "mean": errors.mean(), "worst": worst, "largest": errors[worst]}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


commands = {"nearest": nearest, "normalised": normalised, "npy": npy, "safetensors": safetensors, "requantise": requantise}
print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
