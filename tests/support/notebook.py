"""Executes a notebook with Deno's kernel, which JUPYTER_PATH leads to: notebook.py NOTEBOOK.

Prints what each cell with code showed, as JSON.
"""

import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

path = Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
# The client that starts the kernel also ends it.
NotebookClient(notebook, kernel_name="deno", timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
json.dump([[output.get("data", output) for output in cell.outputs] for cell in cells], sys.stdout)
