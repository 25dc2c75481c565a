"""Bytes of games that are played over HTTP, a request for each command: `python -m tests.benchmarks.studies.stored`.

In memory, in the files that the store appends to at level `fsync`, in a backup, and when they are archived; what an
empty installation takes is left out. The figures are in docs/limits.md.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import click

from events.store.redis.redis_store import RedisEventStore
from service.archive.archiving import Archiving
from service.backup.backing_up import BackingUp
from service.jobs.dispatching import Dispatcher
from service.jobs.jobs import validation_report
from service.platform.targets import open_target
from service.projector import Projector
from service.storage.levels import Durability
from service.storage.settings import StoreSettings
from service.verification.signing_keys import SigningKeys
from service.verification.store import Validations
from tests.benchmarks.own_service import own_store
from tests.service.in_process import InProcess
from tests.support.archiving import NOW
from tests.support.kept_bytes import kept_bytes
from tests.support.servers import eventually

PLAYERS: Final = 4
REWRITE_SECONDS: Final = 60.0


class Taken(NamedTuple):
    """Bytes of an installation: the store's memory, its files as appended and after a rewrite, and a backup."""

    memory: int
    appended: int
    rewritten: int
    backup: int


@click.command()
@click.option("--games", type=click.IntRange(1), default=4, show_default=True, help="How many are played.")
def stored(games: int) -> None:
    """Play games of four, and print the bytes of each of their events."""
    with TemporaryDirectory() as name, own_store(Durability.FSYNC) as (store, environment):
        settings = StoreSettings.from_environment(environment)
        os.environ["QUEUE_REDIS_URL"] = settings.address()
        SigningKeys(settings.data_folder, "fieldbook.test/sizing")
        folder, api = Path(name), InProcess(store)
        empty = _taken(store, settings, folder / "empty")
        parties = [api.people(PLAYERS, seed) for seed in range(games)]
        if not all(party.play() for party in parties):
            raise AssertionError("A game does not end.")
        played = [party.game for party in parties]
        for game in played:
            Projector(store, Dispatcher(store)).catch_up(range(store.partitions))
            Validations(store).add(game, validation_report(store, game, NOW))
        events = sum(head.version for game in played if (head := store.head(game)) is not None)
        full = _taken(store, settings, folder / "full")
        (folder / "archive").mkdir()
        archiving = Archiving(store, open_target(f"file://{folder / 'archive'}"))
        for game in played:
            archiving.archive(game, NOW)
        left = _taken(store, settings, folder / "left")
        found = {
            "the store's memory": full.memory - empty.memory,
            "its files, as it appends to them": full.appended - empty.rewritten,
            "its files, rewritten": full.rewritten - empty.rewritten,
            "a backup": full.backup - empty.backup,
            "the archive": _size(folder / "archive"),
            "the store's memory, once archived": left.memory - empty.memory,
            "its files, rewritten, once archived": left.rewritten - empty.rewritten,
            "a backup, once archived": left.backup - empty.backup,
        }
        api.close()
    click.echo(f"{games} games, {events} events")
    for what, taken in found.items():
        click.echo(f"{taken / events:7.0f} bytes an event: {what}")


def _taken(store: RedisEventStore, settings: StoreSettings, backup: Path) -> Taken:
    files = settings.store_folder / "appendonlydir"
    memory, appended = kept_bytes(store).total(), _size(files)
    store.connection.command("BGREWRITEAOF")
    eventually(
        lambda: b"aof_rewrite_in_progress:0" in store.connection.command("INFO", "persistence"),
        seconds=REWRITE_SECONDS,
    )
    BackingUp(store, settings, open_target(str(backup))).run(NOW)
    return Taken(memory, appended, _size(files), _size(backup))


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


if __name__ == "__main__":
    stored()
