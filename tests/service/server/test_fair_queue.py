"""The queue of requests for threads, where no client can bring about the situation at a chosen moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from service.server.fair_queue import FairQueue, QueuedRequest


def test_a_closed_queue_starts_nothing() -> None:
    """A request that ends after the threads are shut down does not start the next one, which would raise."""
    release = Event()
    calls: list[Callable[[], None]] = []
    started: list[int] = []

    def wait() -> None:
        assert release.wait(60)

    threads = ThreadPoolExecutor(1)
    queue = FairQueue(threads, calls.append, of_all=1, of_one=1)
    first = QueuedRequest(wait, lambda: False, lambda: None, is_refusable=True)
    second = QueuedRequest(lambda: started.append(1), lambda: False, lambda: None, is_refusable=True)
    assert queue.submit("a", first)
    assert queue.submit("a", second)

    queue.close()
    threads.shutdown(wait=False, cancel_futures=True)
    release.set()
    threads.shutdown(wait=True)
    for call in calls:
        call()

    assert not started
