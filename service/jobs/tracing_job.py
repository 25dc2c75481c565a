"""A job as a piece of the work that had it enqueued, or of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rq import get_current_job

from service.jobs.dispatching import TRACE
from service.telemetry.spans import GAME, begin, hand_over, is_recording

LAST_SPANS_SECONDS: Final = 1.0
"""How long a job's process, which ends with it, waits for whoever collects traces."""


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
        hand_over(LAST_SPANS_SECONDS)
