"""What NumPy and the safetensors package make of our files, and the shortest decimals that NumPy knows.

readers.py npy PATH                               > dtype, shape, then the values' bytes
readers.py safetensors PATH                       > name, dtype, shape, then the values' bytes
readers.py shortest float32|float16 < bits (u32)  > one decimal a line
"""

import sys

import numpy as np


def show(values: np.ndarray, *names: str) -> None:
    head = " ".join([*names, values.dtype.str, *map(str, values.shape)])
    sys.stdout.buffer.write(head.encode() + b"\n" + values.tobytes())


def npy(path: str) -> None:
    show(np.load(path, allow_pickle=False))


def safetensors(path: str) -> None:
    from safetensors.numpy import load_file

    ((name, values),) = load_file(path).items()
    show(values, name)


def shortest(dtype: str) -> None:
    bits = np.frombuffer(sys.stdin.buffer.read(), np.uint32)
    values = bits.view(np.float32) if dtype == "float32" else bits.astype(np.uint16).view(np.float16)
    print("\n".join(np.format_float_scientific(value, unique=True, trim="-") for value in values))


{"npy": npy, "safetensors": safetensors, "shortest": shortest}[sys.argv[1]](*sys.argv[2:])
