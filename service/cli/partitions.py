"""`fieldbook partitions`: which are quarantined, whether all are consistent, and releasing one."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import click

from events.store.errors import StoreError
from replay.platform.exit_status import FINDING
from replay.platform.number_options import WholeRange
from service.access.store import record_act
from service.cli.exit_status import exit_with_status
from service.projections.progress import projection_progress
from service.startup.store_opening import open_store
from service.storage.feed_watermarks import FeedWatermarks
from service.storage.partition_damage import find_damage, find_loss
from service.storage.partition_watch import feed_watermarks
from service.storage.settings import StoreSettings
from service.storage.store import Store

_WAIT_SECONDS: Final = 5.0
_REBUILD: Final = "run `fieldbook projections rebuild` after the release."
"""What is to be done where the list was projected further than its feed goes."""


class NoSuchPartition(StoreError):
    """The store has no partition of this number."""

    def __init__(self, partition: int, partitions: int) -> None:
        """Name it, and those that there are."""
        super().__init__(f"There is no partition {partition}; the store has 0 to {partitions - 1}.")


@click.group()
def partitions() -> None:
    """Inspect the partitions of the store, and release one that was quarantined.

    A quarantined partition accepts no appends until it is released. Exit status: 0 when all is well, 1 when a
    partition is quarantined or damaged, 2 for wrong use or a store that cannot be reached.
    """


@partitions.command("list")
@exit_with_status
def list_partitions() -> int:
    """List the partitions with their numbers of appends, and why one is quarantined."""
    with _open() as (store, _):
        reasons = store.quarantine.reasons()
        for partition in range(store.partitions):
            reason = reasons.get(partition)
            state = f"quarantined: {reason}" if reason is not None else "accepts appends"
            click.echo(f"partition {partition:2}, {store.feed_end(partition)} appends, {state}")
        return FINDING if reasons else 0


@partitions.command()
@click.argument("partition", type=WholeRange(0), required=False)
@exit_with_status
def check(partition: int | None) -> int:
    """Compare heads, logs and feeds now, of one partition or of all; nothing is changed."""
    with _open() as (store, watermarks):
        chosen = range(store.partitions) if partition is None else [_existing(store, partition)]
        wrong = 0
        for number in chosen:
            found = [each for each in (_loss(store, watermarks, number), find_damage(store, number)) if each]
            wrong += bool(found)
            click.echo(f"partition {number:2}: {' '.join(found) or 'consistent.'}")
        return FINDING if wrong else 0


@partitions.command()
@click.argument("partition", type=WholeRange(0))
@click.option("--yes", is_flag=True, help="Do not ask.")
@exit_with_status
def release(partition: int, *, yes: bool) -> int:
    """Let a quarantined partition accept appends again, as it is.

    What was lost stays lost and is no longer reported; a damaged game stays damaged and accepts no commands.
    """
    with _open() as (store, watermarks):
        reason = store.quarantine.reasons().get(_existing(store, partition))
        if reason is None:
            click.echo(f"Partition {partition} is not quarantined.")
            return 0
        damage = find_damage(store, partition)
        click.echo(f"Partition {partition} is quarantined: {reason}")
        click.echo("By releasing it you accept that:")
        click.echo(
            f"- its feed ends at position {store.feed_end(partition)}; anything it once had beyond that is given up."
        )
        if damage is not None:
            click.echo(f"- this damage stays, and these games accept no commands: {damage}")
        if projection_progress(store)[partition].is_ahead:
            click.echo(f"- the list of games is ahead of the feed: {_REBUILD}")
        if not (yes or click.confirm(f"Release partition {partition}?", err=True)):
            click.echo("Nothing was changed.")
            return FINDING
        record_act(store, "partition_released", str(partition), reason)
        if watermarks is not None:
            watermarks.forget(partition)
        store.quarantine.release(partition, damage or "")
        click.echo(f"Partition {partition} accepts appends again.")
        return 0


@contextmanager
def _open() -> Iterator[tuple[Store, FeedWatermarks | None]]:
    settings = StoreSettings.from_environment()
    with closing(open_store(settings, _WAIT_SECONDS)) as store:
        yield store, feed_watermarks(settings, store)


def _existing(store: Store, partition: int) -> int:
    if partition >= store.partitions:
        raise NoSuchPartition(partition, store.partitions)
    return partition


def _loss(store: Store, watermarks: FeedWatermarks | None, partition: int) -> str | None:
    return (
        find_loss(store, partition, watermarks.feeds.get(partition, ())) if watermarks is not None else None
    )
