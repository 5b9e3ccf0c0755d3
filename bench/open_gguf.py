"""Milliseconds that the gguf package takes to read a file's header: open_gguf.py PATH"""

import sys
import time

from gguf import GGUFReader

begin = time.perf_counter()
GGUFReader(sys.argv[1])
print(1000 * (time.perf_counter() - begin))
