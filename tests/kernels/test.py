"""Compares every CPU level and the GPU kernels at four lanes with the oracles, bit for bit (a NaN equals a NaN).

Usage: test.py [--only TYPE]… HARNESS…     HARNESS… is the command that starts the program
"""

import sys
import time
import zlib

import numpy as np

import oracle
from harness import HALF, ONE_ID, SCALED, Case, Harness, Type

Rows = tuple[np.ndarray, np.ndarray]
MANY = 2**32 - 1  # rows of a dispatch: more than any caches hold


def same(got: np.ndarray, want: np.ndarray) -> None:
    """Raises where two arrays differ in a bit that no NaN explains."""
    bits = np.uint16 if got.dtype.itemsize == 2 else np.uint32
    differ = np.flatnonzero(got.view(bits) != want.astype(got.dtype, copy=False).view(bits))
    wrong = differ[~(np.isnan(got.flat[differ]) & np.isnan(want.flat[differ]))]
    if wrong.size:
        at = tuple(int(i) for i in np.unravel_index(wrong[0], got.shape))
        raise AssertionError(f"{wrong.size} of {got.size} values differ, first at {at}: {got[at]!r}, not {want[at]!r}")


def changed(values: np.ndarray, scale: float, options: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        if options & SCALED:
            values = values * np.float32(scale)
        return values.astype(np.float16) if options & HALF else values


def widths(kind: Type) -> list[int]:
    """Columns to try: 1, 7 and 26 blocks; of single values also what is no multiple of a vector."""
    return [kind.values * n for n in (1, 7, 26)] if kind.values > 1 else [1, 3, 4, 7, 26, 31, 37, 64, 100]


def gathers(h: Harness, way: str, kind: Type, rng: np.random.Generator) -> None:
    """Odd numbers of rows; ids first, last, repeated, too large; every option, tables at odd addresses."""
    ids = np.array([4, 0, 2, 2, 1, 5, 4, 3, 0xFFFFFFFF])
    for columns in widths(kind):
        raw, values = oracle.random_rows(kind, rng, 5, columns)
        want = values[np.minimum(ids, 4)]
        for options in range(4):
            for shift, count in ((0, 9), (1, 9), (0, MANY), (1, MANY)):
                case = Case(kind, columns, raw, 5, ids, position=100, scale=3.3, options=options, table_shift=shift,
                            output_shift=shift * (2 if options & HALF else 4), count=count)
                got, fault = h.run(way, case)
                same(got, changed(want, 3.3, options))
                assert fault == (2, 105), f"fault words {fault}, not (2, 105)"


def carries(h: Harness, way: str, kind: Type, rng: np.random.Generator) -> None:
    """One id among the arguments counts, not what the ids held, and the ids hold it afterwards."""
    columns = kind.values * 7
    raw, values = oracle.random_rows(kind, rng, 5, columns)
    for options in range(4):
        case = Case(kind, columns, raw, 5, np.array([0xFFFFFFFF]), scale=3.3, options=options | ONE_ID, id=3)
        got, fault = h.run(way, case)
        same(got, changed(values[3:4], 3.3, options))
        assert fault == (0, 0xFFFFFFFF), f"fault words {fault}"
        assert h.ids[0] == 3, f"the ids hold {h.ids[0]}, not 3"


def scales(h: Harness, way: str, kind: Type, rows: Rows) -> None:
    """Patterns of the scale fields, one block a row."""
    raw, values = rows
    got, _ = h.run(way, Case(kind, values.shape[1], raw, len(raw), np.arange(len(raw))))
    same(got, values)


def witnesses(h: Harness, way: str, kind: Type) -> None:
    """ggml's own values of some blocks."""
    blocks, values = oracle.golden(kind)
    got, _ = h.run(way, Case(kind, kind.values, blocks, len(blocks), np.arange(len(blocks))))
    same(got, values)


def windows(h: Harness, way: str, kind: Type, rng: np.random.Generator) -> None:
    """A table bound in two parts: each dispatch serves its own ids, and only the last counts a clamped one."""
    columns = kind.values * 3
    raw, values = oracle.random_rows(kind, rng, 9, columns)
    ids = np.array([8, 0, 3, 4, 9, 7, 3])
    for first, count, clamped in ((0, 4, (0, 0xFFFFFFFF)), (4, 5, (1, 4))):
        case = Case(kind, columns, raw[first:first + count], 9, ids, view=(first, count))
        got, fault = h.run(way, case)
        served = (np.minimum(ids, 8) >= first) & (np.minimum(ids, 8) < first + count)
        same(got[served], values[np.minimum(ids, 8)][served])
        assert (got[~served].view(np.uint32) == 0xFFFFFFFF).all(), "wrote a row that another dispatch serves"
        assert fault == clamped, f"fault words {fault}, not {clamped}"


def offsets(h: Harness, way: str, kind: Type, rng: np.random.Generator) -> None:
    """Rows beyond 2^32 bytes of the table, and a position beyond 2^32 values of the output."""
    columns = kind.values * 26
    raw, values = oracle.random_rows(kind, rng, 3, columns)
    rows = 5 * 2**30 // raw.shape[1]
    got, _ = h.run(way, Case(kind, columns, raw, rows, rows - np.array([1, 3, 2]), skip=(rows - 3) * raw.shape[1],
                             first=2**32 // columns + 7 if way != "4 lanes" else 0))
    same(got, values[[2, 0, 1]])


def worked_example(h: Harness, way: str) -> None:
    """Q4_K, token 42, element 300: block 1, chunk 0, high nibble of byte 12, sub-block 1, d 0.5, dmin 0.01, scale 40,
    minimum 12, nibble 9."""
    kind = next(kind for kind in h.types if kind.name == "Q4_K")
    raw = np.zeros((43, 26, 144), np.uint8)
    block = raw[42, 1]
    block[0:4] = np.array([0.5, 0.01], "<f2").view(np.uint8)
    block[4 + 1], block[8 + 1], block[16 + 12] = 40, 12, 9 << 4
    got, _ = h.run(way, Case(kind, 6656, raw.reshape(43, -1), 43, np.array([42])))
    want = np.float32(0.5 * 40 * 9) - np.float32(np.float16(0.01)) * np.float32(12)
    assert got[0, 300] == want and abs(want - 179.88) < 1e-3, f"{got[0, 300]}, not {want}"


def narrowing(h: Harness, way: str) -> None:
    """Every half as f16 output, every value midway to the next one, and their neighbours among the f32 values."""
    kind = next(kind for kind in h.types if kind.name == "F32")
    halves = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    with np.errstate(all="ignore"):
        midway = ((halves[:-1].astype(np.float64) + halves[1:]) / 2).astype(np.float32)
        edges = np.concatenate([halves, midway, np.array([65519.996, 65520, 65536, 1e-45], np.float32)])
        beside = [np.nextafter(edges, np.float32(end)) for end in (-np.inf, np.inf)]
        values = np.concatenate([edges, -edges, *beside])
    for row in (values, values[:-1]):  # vectors, and one value at a time
        for options in (0, HALF):
            for count in (1, MANY):
                case = Case(kind, row.size, row.view(np.uint8).reshape(1, -1), 1, np.array([0]), options=options,
                            count=count)
                got, _ = h.run(way, case)
                same(got, changed(row.reshape(1, -1), 1, options))


def nothing(h: Harness, way: str) -> None:
    """No ids: nothing is written."""
    kind = h.types[0]
    got, fault = h.run(way, Case(kind, 4, np.zeros((1, 16), np.uint8), 1, np.array([], np.int64)))
    assert got.size == 0 and fault == (0, 0xFFFFFFFF)


def check_type(h: Harness, kind: Type) -> None:
    rng = np.random.default_rng(zlib.crc32(kind.name.encode()))
    # All 65,536 patterns of a half; of the large blocks, whose halves are read by the same code, a quarter as many.
    rows, columns = (1, 65536) if kind.values == 1 else (65536 if kind.values < 256 else 16384, kind.values)
    patterns = oracle.random_rows(kind, rng, rows, columns)
    for way in h.ways:
        try:
            gathers(h, way, kind, rng)
            carries(h, way, kind, rng)
            scales(h, way, kind, patterns)
            windows(h, way, kind, rng)
            offsets(h, way, kind, rng)
            if kind.values > 1:
                witnesses(h, way, kind)
        except AssertionError as error:
            raise AssertionError(f"{way}: {error}") from None


def report(name: str, check) -> bool:
    start = time.monotonic()
    try:
        check()
        print(f"ok      {name} ({time.monotonic() - start:.1f} s)", flush=True)
        return True
    except AssertionError as error:
        print(f"FAILED  {name}: {error}", flush=True)
        return False


def main() -> int:
    arguments = sys.argv[1:]
    only = []
    while arguments[0] == "--only":
        only.append(arguments[1])
        arguments = arguments[2:]
    h = Harness(arguments)
    missing = "".join(f"; {name} does not run here" for name in h.missing)
    print("comparing", ", ".join(h.ways), "with gguf and ggml" + missing)
    results = [report(f"{way}: the worked example", lambda way=way: worked_example(h, way)) for way in h.ways]
    results += [report(f"{way}: every rounding to f16", lambda way=way: narrowing(h, way)) for way in h.ways]
    results += [report(f"{way}: no ids", lambda way=way: nothing(h, way)) for way in h.ways]
    for kind in h.types:
        if not only or kind.name in only:
            results.append(report(f"{kind.name} by {len(h.ways)} ways", lambda kind=kind: check_type(h, kind)))
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
