"""What `fieldbook partitions` does: looking at the partitions of the configured store, and releasing one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from service.operator_acts import record_act
from service.partition_damage import damage_in
from service.partition_loss import what_was_lost
from service.partition_watch import witness_of
from service.progress import projection_progress
from service.store_opening import open_store
from service.store_settings import StoreSettings
from service.witness import Witness

WAIT_SECONDS: Final = 5.0
REBUILD: Final = "run `fieldbook projections rebuild` after the release."
"""What is to be done where the list was projected further than its feed goes."""


class NoSuchPartition(StoreError):
    """The store has no partition of this number."""

    def __init__(self, partition: int, partitions: int) -> None:
        """Name it, and those that there are."""
        super().__init__(f"There is no partition {partition}; the store has 0 to {partitions - 1}.")


def listed(say: Callable[[str], None]) -> int:
    """Show every partition; 1 when one is quarantined."""
    with _opened() as (store, _):
        reasons = store.quarantine.reasons()
        for partition in range(store.partitions):
            reason = reasons.get(partition)
            state = f"quarantined: {reason}" if reason is not None else "takes appends"
            say(f"partition {partition:2}, {store.feed_end(partition)} appends, {state}")
        return 1 if reasons else 0


def checked(wanted: int | None, say: Callable[[str], None]) -> int:
    """Compare what a partition, or every one, holds; 1 when something is wrong."""
    with _opened() as (store, witness):
        chosen = range(store.partitions) if wanted is None else [_existing(store, wanted)]
        wrong = 0
        for partition in chosen:
            found = [each for each in (_loss(store, witness, partition), damage_in(store, partition)) if each]
            wrong += bool(found)
            say(f"partition {partition:2}: {' '.join(found) or 'holds together.'}")
        return 1 if wrong else 0


def released(partition: int, agreed: Callable[[str], bool], say: Callable[[str], None]) -> int:
    """Release a partition after saying what is accepted by it; 1 when that was not agreed to."""
    with _opened() as (store, witness):
        reason = store.quarantine.reasons().get(_existing(store, partition))
        if reason is None:
            say(f"Partition {partition} is not quarantined.")
            return 0
        damage = damage_in(store, partition)
        say(f"Partition {partition} is quarantined: {reason}")
        say("With its release this is accepted:")
        say(f"- its feed ends at position {store.feed_end(partition)}; what it once had beyond is given up.")
        if damage is not None:
            say(f"- this damage stays, and these games take nothing: {damage}")
        if projection_progress(store)[partition].is_ahead:
            say(f"- the list of games knows more than there is: {REBUILD}")
        if not agreed(f"Release partition {partition}?"):
            say("Nothing was changed.")
            return 1
        record_act(store, "partition_released", str(partition), reason)
        if witness is not None:
            witness.forget(partition)
        store.quarantine.release(partition, damage or "")
        say(f"Partition {partition} takes appends again.")
        return 0


@contextmanager
def _opened() -> Iterator[tuple[RedisEventStore, Witness | None]]:
    settings = StoreSettings.from_environment()
    store = open_store(settings, WAIT_SECONDS)
    try:
        yield store, witness_of(settings, store)
    finally:
        store.close()


def _existing(store: RedisEventStore, partition: int) -> int:
    if partition >= store.partitions:
        raise NoSuchPartition(partition, store.partitions)
    return partition


def _loss(store: RedisEventStore, witness: Witness | None, partition: int) -> str | None:
    return what_was_lost(store, partition, witness.feeds.get(partition, ())) if witness is not None else None
