"""`fieldbook archive`: archiving, restoring and verifying from the command line, with what came of it.

Exit status: 0 when all went well, 1 when a game failed, 2 when nothing could begin.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

from events.redis_store import RedisEventStore
from events.store_errors import StoreDamaged, StoreMisconfigured, StoreUnavailable
from service.archive_settings import age_in_seconds, archive_settings
from service.archiving import Archiving, NotArchived, Outcome
from service.clock import now_milliseconds
from service.store_opening import open_store
from service.targets import PARTIAL, Target, TargetUnavailable

FAILED: Final = 1
_WAIT_SECONDS: Final = 3.0


def archive_due(older_than: str | None, *, dry_run: bool) -> int:
    """Archive all games that are due; returns the exit status.

    Raises:
        ValueError: `older_than` is no age.
        StoreError: nothing could begin.
    """
    after = archive_settings().after_seconds if older_than is None else age_in_seconds(older_than)
    with _archiving() as (archiving, _store, _target):
        due = list(archiving.due(now_milliseconds(), after))
        if dry_run:
            return _put([Outcome(each.game, "due", events=each.version) for each in due])
        return _put(
            _each(
                [game.game for game in due],
                "Archiving",
                lambda game: archiving.archive(game, now_milliseconds()),
            )
        )


def restore_one(game: str) -> int:
    """Put one archived game back; returns the exit status."""
    with _archiving() as (archiving, _store, _target):
        return _put(_each([game], "Restoring", archiving.restore))


def verify_all() -> int:
    """Verify every archived game, and name what lies in the archive that no game refers to.

    Returns the exit status.
    """
    with _archiving() as (archiving, store, target):
        games = list(archiving.archived())
        outcomes = _each(games, "Verifying", archiving.verify)
        tombstones = [store.archiving.tombstone(game) for game in games]
        referred = {tombstone.file for tombstone in tombstones if tombstone is not None}
        try:
            for name in sorted(set(target.names()) - referred):
                kind = "unfinished" if name.endswith(PARTIAL) else "referred to by no archived game"
                Console(stderr=True).print(f"{name}: {kind}", highlight=False)
        except TargetUnavailable as error:
            raise StoreUnavailable(str(error)) from error
        return _put(outcomes)


@contextmanager
def _archiving() -> "Iterator[tuple[Archiving, RedisEventStore, Target]]":
    target = archive_settings().target
    if target is None:
        raise StoreMisconfigured("There is no archive: set FIELDBOOK_ARCHIVE, such as file:///srv/archive.")
    store = open_store(wait_seconds=_WAIT_SECONDS)
    try:
        yield Archiving(store, target), store, target
    finally:
        store.close()


def _each(games: list[str], doing: str, work: Callable[[str], Outcome]) -> list[Outcome]:
    found = []
    for game in track(games, doing, console=Console(stderr=True), transient=True):
        try:
            found.append(work(game))
        except (NotArchived, StoreDamaged, StoreUnavailable) as error:
            found.append(Outcome(game, "failed", str(error)))
    return found


def _put(outcomes: list[Outcome]) -> int:
    table = Table("game", "result", "events", "bytes", "file or reason")
    for each in outcomes:
        table.add_row(each.game, each.what, str(each.events or ""), str(each.size or ""), each.detail)
    if outcomes:
        Console().print(table)
    failed = sum(each.what == "failed" for each in outcomes)
    Console().print(f"{len(outcomes) - failed} games, {failed} failed", highlight=False)
    return FAILED if failed else 0
