"""What must hold beside the log: verdicts on all finished games, and projections as if nothing had happened."""

import time
from collections.abc import Iterator

from rq.registry import StartedJobRegistry

from events.store.errors import StoreDamaged
from events.store.redis.redis_store import RedisEventStore
from service.projections.comparing import Comparison
from service.projections.game_list import GameList
from service.projections.listed_games import Filter
from service.projections.progress import projection_progress
from service.storage.queues import VALIDATION
from tests.faults.installation import Installation

LAG_SECONDS = 60.0
PATIENT_SECONDS = 180.0
"""An abandoned job is taken up within a minute; one that failed stands in the way of another try for a minute."""
IMPATIENT_SECONDS = 20.0
LOOK_SECONDS = 0.2


def projection_lag(store: RedisEventStore) -> int:
    """Feed entries that the list of games has not been told yet."""
    return sum(each.lag for each in projection_progress(store))


def verdict_findings(installation: Installation, store: RedisEventStore, *, patient: bool) -> Iterator[str]:
    """The projections catch up, and every finished game gets the verdict that it is valid."""
    deadline = time.monotonic() + LAG_SECONDS
    while projection_lag(store) and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
    if lag := projection_lag(store):
        yield f"the projections are {lag} feed entries behind"
    deadline = time.monotonic() + (PATIENT_SECONDS if patient else IMPATIENT_SECONDS)
    while (pending := _with_verdict(store, "pending")) and time.monotonic() < deadline:
        if not patient and pending <= _held(installation, store):
            break
        time.sleep(LOOK_SECONDS)
    held = frozenset() if patient else _held(installation, store)
    for game in _with_verdict(store, "pending") - held:
        yield f"game {game} is finished and has no verdict"
    for game in _with_verdict(store, "invalid"):
        yield f"game {game} was found invalid"


def projection_findings(store: RedisEventStore) -> Iterator[str]:
    """The list of games is what the log makes of it, byte for byte, read anew from the first event."""
    try:
        for each in Comparison(store).run(lambda _position: None):
            yield f"the list has {each.listed} in {each.part} for {each.member}, and the log says {each.rebuilt}"
    except StoreDamaged as damaged:
        yield f"the list cannot be compared: {damaged}"


def _with_verdict(store: RedisEventStore, verdict: str) -> frozenset[str]:
    """The finished games with this verdict."""
    found: set[str] = set()
    cursor: str | None = None
    while True:
        page, cursor = GameList(store).page(Filter(status="finished", validation=verdict), 200, cursor)
        found |= {summary.game for summary in page}
        if cursor is None:
            return frozenset(found)


def _held(installation: Installation, store: RedisEventStore) -> frozenset[str]:
    """The games whose validation is with a worker, be it one that was killed."""
    with installation.queue() as connection:
        jobs = StartedJobRegistry(VALIDATION, connection=connection).get_job_ids(cleanup=False)
    return frozenset(job.split("-")[1] for job in jobs)
