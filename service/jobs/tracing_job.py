"""A job as a piece of the work that had it enqueued, or of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

from rq import get_current_job

from service.jobs.dispatching import TRACE
from service.telemetry.spans import GAME, begin, hand_over, is_recording


@contextmanager
def tracing_job(name: str, game: str) -> Iterator[None]:
    """Record what is done within for a game, in the trace that the job's meta names."""
    if not is_recording():
        yield
        return
    job = get_current_job()
    try:
        with begin(name, "consumer", "" if job is None else job.meta.get(TRACE, "")) as working:
            working.say({GAME: game})
            yield
    finally:
        # Its process ends with it.
        hand_over()
