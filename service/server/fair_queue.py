"""Turns of requests for threads: each address has a few at once, and addresses take turns.

Requests that are worked on beyond that bound wait here instead of in the queue of the threads, where a command or a
health check would wait behind all of them.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Final

MAX_READS: Final = 32
"""Reads worked on at once in a process; other threads are left for everything else."""
MAX_READS_OF_ONE: Final = 2
"""Reads of one address worked on at once."""
MAX_WRITES_OF_ONE: Final = 16
"""Other requests of one address worked on at once."""
MAX_PROBES: Final = 2
"""Health checks worked on at once, by threads of their own; one of each address."""


class FairQueue:
    """Requests of one kind that wait for a thread; for the event loop alone."""

    def __init__(
        self, threads: Executor, call: Callable[[Callable[[], None]], object], of_all: int, of_one: int
    ) -> None:
        """Use these threads for `of_all` requests at once; `call` has the event loop call a function."""
        self._threads = threads
        self._call = call
        self._of_one = of_one
        self._free = of_all
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[Callable[[], None]]] = OrderedDict()

    def submit(self, network: str, work: Callable[[], None]) -> None:
        """Have a request of an address worked on when its turn comes."""
        self._waiting.setdefault(network, deque()).append(work)
        self._start()

    def _start(self) -> None:
        """Start what may start; the address that waits longest comes first."""
        while self._free:
            network = next((each for each in self._waiting if self._running[each] < self._of_one), None)
            if network is None:
                return
            waiting = self._waiting.pop(network)
            work = waiting.popleft()
            if waiting:
                self._waiting[network] = waiting
            self._free -= 1
            self._running[network] += 1
            self._threads.submit(work).add_done_callback(partial(self._report, network))

    def _report(self, network: str, _done: Future[None]) -> None:
        self._call(partial(self._end, network))

    def _end(self, network: str) -> None:
        self._free += 1
        self._running[network] -= 1
        if not self._running[network]:
            del self._running[network]
        self._start()
