"""The harness program as a Python object: one kernel run a call."""

import struct
import subprocess
from dataclasses import dataclass, field

import numpy as np

GRID = 0xFFFFFFFF
GUARD = 256
SCALED, HALF = 1, 2


@dataclass
class Case:
    """One dispatch. `table` is what is bound: rows [view_first, view_first + view_rows) of `rows`."""

    type: int
    columns: int
    row_bytes: int
    table: bytes
    rows: int
    ids: np.ndarray
    view_first: int = 0
    view_rows: int | None = None
    first_position: int = 0
    scale: float = 1.0
    options: int = 0
    begin: int = 0
    end: int | None = None
    shifts: tuple[int, int] = field(default=(0, 0))  # table, output

    def value_bytes(self) -> int:
        return 2 if self.options & HALF else 4


class Harness:
    def __init__(self, command: list[str]):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ways = {}
        while line := self.process.stdout.readline().split():
            if line[1] == b"1":
                self.ways[line[0].decode()] = len(self.ways)
        self.ways["grid"] = GRID

    def run(self, way: str, case: Case) -> tuple[np.ndarray, tuple[int, int]]:
        """The output's bytes, [rows, columns * bytes a value], and the fault words. Raises where a guard was written."""
        end = len(case.ids) if case.end is None else case.end
        view_rows = case.rows if case.view_rows is None else case.view_rows
        output_bytes = len(case.ids) * case.columns * case.value_bytes()
        # A GPU's table is aligned: its end is moved down to where its start is a multiple of 16.
        shift = -len(case.table) % 16 if way == "grid" else case.shifts[0]
        head = struct.pack(
            "<IIQQIIIIfIQQQQQQQ", self.ways[way], case.type, case.row_bytes, case.first_position, case.columns,
            case.rows, case.view_first, view_rows, case.scale, case.options, len(case.table), shift, output_bytes,
            0 if way == "grid" else case.shifts[1], len(case.ids), case.begin, end)
        self.process.stdin.write(head + bytes(case.table) + np.asarray(case.ids, "<u4").tobytes())
        self.process.stdin.flush()
        ran, count, position = struct.unpack("<III", self.read(12))
        written = np.frombuffer(self.read(output_bytes + 2 * GUARD), np.uint8)
        if not ran:
            raise AssertionError(f"no kernel for type {case.type} on {way}")
        if not (written[:GUARD] == 255).all() or not (written[GUARD + output_bytes:] == 255).all():
            raise AssertionError("wrote outside the output")
        return written[GUARD:GUARD + output_bytes].reshape(len(case.ids), -1), (count, position)

    def read(self, size: int) -> bytes:
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise AssertionError(f"the harness stopped with {self.process.wait()}")
        return data
