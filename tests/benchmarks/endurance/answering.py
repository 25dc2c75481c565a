"""The other side of a process of the load: orders come in by standard input, what happens goes out, line by line.

When the one who gives the orders is gone, the process ends at once: nobody would read what it finds.
"""

import os
import sys
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Lock, Thread
from typing import NoReturn

import msgspec

from tests.benchmarks.endurance.messages import Done, Order, Setting, Told, order


class Answering:
    """Standard input and output of a process of the load; safe for many threads."""

    def __init__(self) -> None:
        """Wait for the setting."""
        self.setting = msgspec.json.decode(sys.stdin.buffer.readline(), type=Setting)
        self._lock = Lock()
        self._orders: SimpleQueue[Order] = SimpleQueue()
        # Read in a thread of its own, so that the end of the one who gives orders is noticed whatever happens here.
        Thread(target=self._read, daemon=True).start()

    def say(self, told: Told) -> None:
        """Tell what happened."""
        line = msgspec.json.encode(told) + b"\n"
        with self._lock:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    def orders(self) -> Iterator[Order]:
        """All orders as they come; it never ends by itself."""
        while True:
            yield self._orders.get()

    def end(self) -> NoReturn:
        """Say that nothing more will come, and end."""
        self.say(Done())
        # At once: an interpreter cannot shut down while a thread of it still reads standard input.
        os._exit(0)

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self._orders.put(order(line))
        os._exit(1)
