"""What of a file is in the page cache (Linux).

pages.py evict PATH                     lets the kernel forget the file's pages
pages.py resident PATH OFFSET LENGTH    > how many pages of the range are in memory
"""

import ctypes
import mmap
import os
import sys

PAGE = mmap.PAGESIZE


def evict(path: str) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())  # pages not yet on the disk stay
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def resident(path: str, offset: str, length: str) -> None:
    first = int(offset) // PAGE * PAGE
    size = int(offset) + int(length) - first
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    with open(path, "rb") as file:
        address = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), first)
        states = (ctypes.c_ubyte * ((size + PAGE - 1) // PAGE))()
        if libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), states) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    print(sum(state & 1 for state in bytes(states)))


{"evict": evict, "resident": resident}[sys.argv[1]](*sys.argv[2:])
