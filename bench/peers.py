"""NumPy and the gguf package, for scripts/bench to be measured beside: answers each line of standard input with the
microseconds that one run of what it names takes, or with a text that says why there are none.

rows COUNT gguf     COUNT random rows of the file's table, as the gguf package dequantises them
rows COUNT numpy    COUNT random rows of a table that is f32 already, by NumPy's take
open FILE           the gguf package's reader, once

peers.py FILE OFFSET ROWS      the table is Q4_K with 6,656 columns, OFFSET bytes into FILE
"""

import sys
import time
from functools import cache

import numpy as np

try:
    import gguf
    import gguf.quants
except ImportError:
    gguf = None

COLUMNS, ROW_BYTES = 6656, 3744
TURN = 0.003
F32_ROWS = 8192  # 218 MB: more than a cache holds

path, offset, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
table = np.memmap(path, np.uint8, "r", offset, (rows, ROW_BYTES))
dice = np.random.default_rng(1)


@cache
def f32_table() -> np.ndarray:
    values = np.empty((min(rows, F32_ROWS), COLUMNS), np.float32)
    values[:] = np.arange(COLUMNS)
    return values


def seconds(run, runs: int) -> float:
    begin = time.perf_counter()
    for _ in range(runs):
        run()
    return (time.perf_counter() - begin) / runs


def measure(run) -> float:
    """Microseconds of one run; the first ones fill the caches."""
    run()
    runs = int(TURN / max(seconds(run, 1), 1e-7)) + 1
    return seconds(run, runs) * 1e6


def gather(count: int, who: str) -> float | str:
    if who == "gguf":
        if gguf is None:
            return "the gguf package is not here"
        dequantize, kind = gguf.quants.dequantize, gguf.GGMLQuantizationType.Q4_K
        batches = [dice.integers(0, rows, count) for _ in range(max(2, min(64, rows // count)))]
        turn = iter(range(1 << 60))
        return measure(lambda: dequantize(table[batches[next(turn) % len(batches)]], kind))
    values = f32_table()
    output = np.zeros((count, COLUMNS), np.float32)
    batches = [dice.integers(0, len(values), count) for _ in range(max(2, min(64, len(values) // count)))]
    turn = iter(range(1 << 60))
    return measure(lambda: np.take(values, batches[next(turn) % len(batches)], 0, output, "clip"))


def read(file: str) -> float | str:
    if gguf is None:
        return "the gguf package is not here"
    begin = time.perf_counter()
    gguf.GGUFReader(file)
    return (time.perf_counter() - begin) * 1e6


for line in sys.stdin:
    task, _, what = line.rstrip("\n").partition(" ")
    if task == "open":
        print(read(what), flush=True)
    else:
        count, who = what.split()
        print(gather(int(count), who), flush=True)
