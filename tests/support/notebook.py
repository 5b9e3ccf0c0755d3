"""Executes a notebook with Deno's kernel, which JUPYTER_PATH leads to: notebook.py NOTEBOOK.

Prints what each cell with code showed, as JSON.
"""

import json
import sys
from pathlib import Path
from queue import Empty

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete

LATE_SECONDS = 0.5


class Client(NotebookClient):
    """Waits a moment after each cell: Deno's kernel may say that it is idle before it sends what a cell shows."""

    async def async_execute_cell(self, cell, cell_index, *args, **options):
        cell = await super().async_execute_cell(cell, cell_index, *args, **options)
        while cell.cell_type == "code":
            try:
                message = await self.kc._async_get_iopub_msg(timeout=LATE_SECONDS)
                self.process_message(message, cell, cell_index)
            except CellExecutionComplete:
                continue
            except Empty:
                break
        return cell


path = Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
# The client that starts the kernel also ends it.
Client(notebook, kernel_name="deno", timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
json.dump([[output.get("data", output) for output in cell.outputs] for cell in cells], sys.stdout)
