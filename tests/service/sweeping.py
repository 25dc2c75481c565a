"""What the projector does with the time of games, in this process and at moments that the test chooses."""

from service.jobs.dispatching import Dispatcher
from service.projector import Projector
from service.timekeeping.sweeper import Sweeper
from tests.service.in_process import InProcess
from tests.support.watched_time import WatchedTime


class NoQueue(Dispatcher):
    """Enqueues nothing."""

    def __init__(self) -> None:
        """Begin."""

    def enqueue(self, game: str, version: int) -> bool:
        """Nothing."""
        del game, version
        return True

    def enqueue_archiving(self) -> None:
        """Nothing."""

    def enqueue_rating(self, part: int = 0) -> None:
        """Nothing."""
        del part

    def sweep(self) -> int:
        """Nothing."""
        return 0

    def sweep_disputes(self, now: int) -> int | None:
        """Nothing, at no time."""
        del now
        return None

    def sweep_evidence(self) -> int:
        """Nothing."""
        return 0


def catch_up(api: InProcess) -> None:
    """Have a fresh projector note which games wait until when."""
    Projector(api.store, NoQueue()).catch_up(range(api.store.partitions))


def sweep(api: InProcess, time: WatchedTime) -> int | None:
    """One sweep, by a process of its own; when the next thing is due."""
    return Sweeper(api.store).perform(time.now)
