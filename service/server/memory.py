"""Giving memory back to the machine: what a long answer took is not kept for the next one."""

import ctypes
import sys
import time
from threading import Thread
from typing import Final

ARENAS_OPTION, ARENAS = -8, 2
"""M_ARENA_MAX of mallopt(3), and how many. By itself glibc gives each thread its own, and hardly any of it back."""
TRIM_SECONDS: Final = 10.0
"""How often what is free is given back."""


def give_memory_back() -> None:
    """From now on, in this process: have all threads share few arenas, and give back what is free in them.

    Only where the C library is glibc; elsewhere the library's own way holds.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if not (hasattr(library, "mallopt") and hasattr(library, "malloc_trim")):
        return
    library.mallopt(ARENAS_OPTION, ARENAS)

    def trim() -> None:
        while True:
            time.sleep(TRIM_SECONDS)
            library.malloc_trim(0)

    Thread(target=trim, name="memory", daemon=True).start()
