"""The job of a worker that brings boards up to date: it is handed next to nothing, and may run again and again."""

from contextlib import closing

from service.jobs.dispatching import Dispatcher
from service.ratings.rating_run import RatingRun
from service.startup.store_opening import open_store


def rate(part: int = 0) -> None:
    """Read new games for some seconds, and count them; where some are left another job goes on.

    Raises:
        StoreUnavailable: the next sweep tries again.
    """
    with closing(open_store(wait_seconds=10, quietly=True)) as store:
        if not RatingRun(store).run():
            Dispatcher(store).enqueue_rating(part + 1)
