"""`python -m tests.support.store_node`: becomes the embedded server's program, and is killed with whoever started it.

A node that is paused would not hear a SIGTERM, so this is a SIGKILL: nothing is left behind, whatever happens.
"""

import ctypes
import os
import signal
import sys

from service.server.store_process import SET_PARENT_DEATH_SIGNAL, server_program


def main() -> None:
    """Become the server; the arguments are the parent's process id and the server's settings."""
    parent, *settings = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != int(parent):
        sys.exit(1)
    program = server_program()
    if program is None:
        sys.exit("no server program")
    os.execv(program, [program, *settings])  # noqa: S606 - no shell is the point


if __name__ == "__main__":
    main()
