"""What bench/programs/first_row.ts does, with the gguf package: first_row.py FILE"""

import sys

from gguf import GGUFReader
from gguf.quants import dequantize

tensor = next(it for it in GGUFReader(sys.argv[1]).tensors if it.name == "token_embd.weight")
print(dequantize(tensor.data[42:43], tensor.tensor_type)[0, 0])
