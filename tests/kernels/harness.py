"""The harness program as a Python object: one kernel run a call."""

import struct
import subprocess
from dataclasses import dataclass

import numpy as np

GRID = 0xFFFFFFFF
GUARD = 256
SCALED, HALF, ONE_ID = 1, 2, 4


@dataclass
class Type:
    name: str
    id: int
    values: int
    bytes: int


@dataclass
class Case:
    """One dispatch. `table` holds the bytes of the last rows that are bound; `skip` empty bytes come before them."""

    type: Type
    columns: int
    table: np.ndarray
    rows: int
    ids: np.ndarray
    skip: int = 0
    view: tuple[int, int] | None = None  # first row and number of rows that are bound; all by default
    position: int = 0  # of row 0 of the dispatch among all ids
    scale: float = 1.0
    options: int = 0
    id: int = 0  # of the only row, where `options` say so
    count: int = 0  # rows of the whole dispatch
    first: int = 0  # `ids` are those of rows first, first + 1 … of the dispatch
    table_shift: int = 0
    output_shift: int = 0

    def head(self, way: int) -> bytes:
        row_bytes = self.columns // self.type.values * self.type.bytes
        view_first, view_rows = self.view or (0, self.rows)
        # A GPU's table is aligned: it begins at a multiple of 16 and ends a little before memory does.
        table_shift = -(self.table.size + self.skip) % 16 if way == GRID else self.table_shift
        count = len(self.ids) if way == GRID else self.count  # a GPU's threads look for ids of as many rows
        output_bytes = len(self.ids) * self.columns * self.value_bytes()
        return struct.pack(
            "<II QIIIIIfIII4x 7Q", way, self.type.id, row_bytes, self.position, self.columns, self.rows, view_first,
            view_rows, self.scale, self.options, self.id, count, self.table.size, self.skip, table_shift,
            output_bytes, 0 if way == GRID else self.output_shift, self.first, self.first + len(self.ids))

    def value_bytes(self) -> int:
        return 2 if self.options & HALF else 4


class Harness:
    """`ways` are the levels that run here, and the GPU kernels thread by thread."""

    def __init__(self, command: list[str]):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ways: dict[str, int] = {}
        self.missing: list[str] = []
        self.types: list[Type] = []
        self.ids = np.array([], "<u4")  # what the ids are after the last run
        levels = 0
        while words := self.process.stdout.readline().decode().split():
            if words[0] == "type":
                self.types.append(Type(words[1], *map(int, words[2:])))
            elif words[2] == "1":
                self.ways[words[1]] = levels
            else:
                self.missing.append(words[1])
            levels += words[0] == "level"
        self.ways["4 lanes"] = GRID

    def run(self, way: str, case: Case) -> tuple[np.ndarray, tuple[int, int]]:
        """The values written, [ids, columns] as f32 or f16, and the fault words: how many ids were clamped, and the
        first position of one."""
        try:
            self.process.stdin.write(
                case.head(self.ways[way]) + case.table.tobytes() + case.ids.astype("<u4").tobytes())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self.ended() from None
        ran, *fault = struct.unpack("<III", self.read(12))
        self.ids = np.frombuffer(self.read(len(case.ids) * 4), "<u4")
        output = len(case.ids) * case.columns * case.value_bytes()
        written = np.frombuffer(self.read(output + 2 * GUARD), np.uint8)
        if not ran:
            raise AssertionError(f"{case.type.name} has no kernel")
        if (written[:GUARD] != 255).any() or (written[GUARD + output:] != 255).any():
            raise AssertionError(f"{case.type.name} wrote outside its output")
        values = written[GUARD:GUARD + output].view("<f2" if case.options & HALF else "<f4")
        return values.reshape(len(case.ids), case.columns), tuple(fault)

    def read(self, size: int) -> bytes:
        data = self.process.stdout.read(size)
        if len(data) != size:
            raise self.ended()
        return data

    def ended(self) -> AssertionError:
        return AssertionError(f"the harness ended with status {self.process.wait()}")
