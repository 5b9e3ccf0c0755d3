"""Runs a command with a terminal as one of its streams and writes what the terminal received.

terminal.py out|error COMMAND…   (the other stream goes nowhere; standard input is passed on)
"""

import os
import pty
import subprocess
import sys

stream, command = sys.argv[1], sys.argv[2:]
here, there = pty.openpty()
streams = {"out": {"stdout": there, "stderr": subprocess.DEVNULL}, "error": {"stdout": subprocess.DEVNULL, "stderr": there}}
process = subprocess.Popen(command, **streams[stream])
os.close(there)
while True:
    try:
        received = os.read(here, 65536)
    except OSError:  # the last writer has closed its side
        break
    if not received:
        break
    sys.stdout.buffer.write(received)
sys.exit(process.wait())
