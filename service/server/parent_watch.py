"""Ending with another process: nothing of the service outlives what it belongs to.

A process that is killed cannot stop the others. So each looks for itself, as the embedded store does
(`service.server.store_process`): every process whether the one named in FIELDBOOK_PARENT is still there, and every
process that was forked from it whether its parent is. Once they are gone it stops as after SIGTERM.
"""

import logging
import os
import signal
import time
from collections.abc import Callable
from threading import Thread

from service.server.store_process import is_alive, read_parent

LOOK_SECONDS = 0.25
"""How often it is looked."""
_log = logging.getLogger("fieldbook.process")


def end_with_parents(stop_seconds: float) -> None:
    """Watch from now on in this process and in all that are forked from it.

    `stop_seconds` is how long a process may take to stop before it is killed.
    """
    named = read_parent(os.environ)
    if named:
        _watch(lambda: not all(map(is_alive, named)), stop_seconds)
    os.register_at_fork(after_in_child=lambda: _end_with(os.getppid(), stop_seconds))


def _end_with(parent: int, stop_seconds: float) -> None:
    _watch(lambda: os.getppid() != parent, stop_seconds)


def _watch(is_gone: Callable[[], bool], stop_seconds: float) -> None:
    Thread(target=_end_when, args=(is_gone, stop_seconds), name="parent-watch", daemon=True).start()


def _end_when(is_gone: Callable[[], bool], stop_seconds: float) -> None:
    while not is_gone():
        time.sleep(LOOK_SECONDS)
    _log.warning("what this process belongs to is gone; it stops")
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(stop_seconds)
    os.kill(os.getpid(), signal.SIGKILL)
