"""`python -m service.verification.confined verify -`: the replay tool on what a stranger sent, kept within bounds.

It gives way to everything else on the machine, and has so much memory. Whoever starts it ends it after some time.
"""

import os
import resource
import sys
from typing import Final

from replay.command_line import replay

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space, of which a record of the largest size takes a part."""
GIVES_WAY: Final = 10
"""By so much its priority is lower (`nice`)."""
OUT_OF_MEMORY: Final = 74
"""The exit status where that was not enough."""


def main(memory: int = MEMORY) -> None:
    """Run the command of the arguments; the exit status is its own, or says that memory was not enough."""
    os.nice(GIVES_WAY)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        replay(prog_name="fieldbook replay")
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
