"""`python -m service.verification.confined verify -`: the replay tool on what a stranger sent, kept within bounds.

It gives way to everything else on the machine, and has so much memory. Whoever starts it ends it after some time. All
of its code is there before the bounds are: a module that could no longer be loaded would look like an error of the
record.
"""

import os
import resource
import sys
from typing import Final

from replay.commands.audit import audit
from replay.commands.verify import verify
from service.verification.drawing import draw

MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space, of which a record of the largest size takes a part."""
GIVES_WAY: Final = 10
"""By so much its priority is lower (`nice`)."""
OUT_OF_MEMORY: Final = 74
"""The exit status where that was not enough."""
_COMMANDS: Final = {"audit": audit, "draw": draw, "verify": verify}


def main(memory: int = MEMORY) -> None:
    """Run the command of the arguments; the exit status is its own, or says that memory was not enough.

    Raises:
        KeyError: a command that neither verifies nor draws.
    """
    _, name, *arguments = sys.argv
    command = _COMMANDS[name]
    os.nice(GIVES_WAY)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        command(arguments, prog_name=f"fieldbook replay {name}")
    except MemoryError:
        # Even to leave in the usual way takes memory.
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
