"""`fieldbook archive`: archiving, restoring and verifying from the command line, with what came of it.

Exit status: 0 when all went well, 1 when a game failed, 2 when nothing could begin.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Column, Table

from events.redis_store import RedisEventStore
from events.store_errors import ArchiveUnavailable, StoreDamaged, StoreMisconfigured
from service.archive_attempts import FAILED, NOT_TRIED, attempted
from service.archive_due import looked_over
from service.archive_settings import age_in_seconds, archive_settings
from service.archiving import Archiving, Outcome
from service.clock import now_milliseconds
from service.store_opening import open_store
from service.targets import PARTIAL, Target, TargetUnavailable

FINDING: Final = 1
_WAIT_SECONDS: Final = 3.0


def archive_due(older_than: str | None, *, dry_run: bool) -> int:
    """Archive all games that are due, and name those that stay though they are old enough; returns the exit status.

    Raises:
        ValueError: `older_than` is no age.
        StoreError: nothing could begin.
    """
    after = archive_settings().after_seconds if older_than is None else age_in_seconds(older_than)
    with _archiving() as (archiving, store, _target):
        looked = list(looked_over(store, now_milliseconds(), after))
        staying = [Outcome(each.game, "stays", each.stays) for each in looked if each.stays]
        due = [each for each in looked if not each.stays]
        if dry_run:
            return _put([*(Outcome(each.game, "due", events=each.version) for each in due), *staying])
        done = _each(
            [each.game for each in due],
            "Archiving",
            lambda game: archiving.archive(game, now_milliseconds()),
        )
        return _put([*done, *staying])


def restore_one(game: str) -> int:
    """Put one archived game back; returns the exit status."""
    with _archiving() as (archiving, _store, _target):
        return _put(_each([game], "Restoring", lambda each: archiving.restore(each, now_milliseconds())))


def verify_all() -> int:
    """Verify every archived game, and name what lies in the archive that no game refers to.

    Returns the exit status.

    Raises:
        StoreError: nothing could begin.
    """
    with _archiving() as (archiving, store, target):
        try:
            # The files first: one that is archived meanwhile is then only missing in this list.
            names = set(target.names())
        except TargetUnavailable as error:
            raise ArchiveUnavailable(str(error)) from error
        games = list(archiving.archived())
        outcomes = _each(games, "Verifying", archiving.verify)
        for name in sorted(names - _referred(store, games)):
            kind = "unfinished" if name.endswith(PARTIAL) else "referred to by no archived game"
            Console(stderr=True).print(f"{name}: {kind}", highlight=False, soft_wrap=True)
        return _put(outcomes)


def _referred(store: RedisEventStore, games: Iterable[str]) -> set[str]:
    """The files that these games' tombstones name; one that cannot be read names none."""
    found = set()
    for game in games:
        with suppress(StoreDamaged):
            if tombstone := store.archiving.tombstone(game):
                found.add(tombstone.file)
    return found


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
    outcomes = attempted(games, work)
    return list(track(outcomes, doing, total=len(games), console=Console(stderr=True), transient=True))


def _put(outcomes: list[Outcome]) -> int:
    table = Table("game", "result", "events", "bytes", Column("file or reason", overflow="fold"))
    for each in outcomes:
        table.add_row(each.game, each.what, str(each.events or ""), str(each.size or ""), escape(each.detail))
    if outcomes:
        Console().print(table)
    counted = Counter(each.what for each in outcomes)
    failed, others = counted.pop(FAILED, 0) + counted.pop(NOT_TRIED, 0), counted.pop("stays", 0)
    said = f"{counted.total()} games, {failed} failed"
    Console().print(said if not others else f"{said}, {others} stay", highlight=False)
    return FINDING if failed else 0
