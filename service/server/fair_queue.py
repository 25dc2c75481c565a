"""Turns of requests for threads: each address has a few at once, and addresses take turns.

Requests that are worked on beyond that bound wait here instead of in the queue of the threads, where a command or a
health check would wait behind all of them.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Final, NamedTuple

MAX_READS: Final = 32
"""Reads worked on at once in a process; other threads are left for everything else."""
MAX_READS_OF_ONE: Final = 2
"""Reads of one address worked on at once."""
MAX_WRITES_OF_ONE: Final = 16
"""Other requests of one address worked on at once."""
MAX_WAITING_OF_ONE: Final = 1_000
"""Reads, or other requests, of one address that wait; further ones are refused."""
MAX_PROBES: Final = 2
"""Readiness checks and scrapes worked on at once, by dedicated threads; one of each address."""
MAX_LIVENESS_PROBES: Final = 1
"""Liveness checks worked on at once, by a dedicated thread: they need no store, so they must not wait for those."""


class QueuedRequest(NamedTuple):
    """A request that waits for a thread."""

    work: Callable[[], None]
    is_lost: Callable[[], bool]
    """Tells whether it needs no answer any more, because its connection is lost."""
    drop: Callable[[], None]
    """Called in place of `work` for a lost request."""
    is_refusable: bool
    """Whether it may be refused when too many wait."""


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
        self._waiting: OrderedDict[str, deque[QueuedRequest]] = OrderedDict()
        self._is_closed = False

    def submit(self, network: str, request: QueuedRequest) -> bool:
        """Have a request of an address worked on when its turn comes; return False if too many of it wait."""
        waiting = self._waiting.setdefault(network, deque())
        if request.is_refusable and len(waiting) >= MAX_WAITING_OF_ONE:
            waiting = self._waiting[network] = _drop_lost(waiting)
            if len(waiting) >= MAX_WAITING_OF_ONE:
                return False
        waiting.append(request)
        self._start()
        return True

    def close(self) -> None:
        """Forget the requests that wait, and start no more."""
        self._is_closed = True
        self._waiting.clear()

    def _start(self) -> None:
        """Start requests while there are free turns; the address that waits longest comes first."""
        while self._free and not self._is_closed:
            network = next((each for each in self._waiting if self._running[each] < self._of_one), None)
            if network is None:
                return
            waiting = self._waiting.pop(network)
            request = waiting.popleft()
            if waiting:
                self._waiting[network] = waiting
            if request.is_lost():
                request.drop()
                continue
            self._free -= 1
            self._running[network] += 1
            self._threads.submit(request.work).add_done_callback(partial(self._report, network))

    def _report(self, network: str, _done: Future[None]) -> None:
        self._call(partial(self._end, network))

    def _end(self, network: str) -> None:
        self._free += 1
        self._running[network] -= 1
        if not self._running[network]:
            del self._running[network]
        self._start()


def _drop_lost(waiting: deque[QueuedRequest]) -> deque[QueuedRequest]:
    """Drop lost requests; return the others."""
    found = deque[QueuedRequest]()
    for each in waiting:
        if each.is_lost():
            each.drop()
        else:
            found.append(each)
    return found
