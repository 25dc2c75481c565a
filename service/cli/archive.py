"""`fieldbook archive`: archiving, restoring and verifying games, with the results.

Exit status: 0 when all went well, 1 when a game failed, 2 when nothing could begin.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Column, Table

from events.store.errors import ArchiveUnavailable, StoreDamaged, StoreMisconfigured
from replay.platform.exit_status import FINDING
from service.archive.archiving import Archiving, Outcome
from service.archive.attempts import FAILED, NOT_TRIED, attempt_each
from service.archive.due import review_games
from service.archive.files import archive_target
from service.cli.exit_status import exit_with_status
from service.platform.clock import now_milliseconds
from service.platform.configuration import ARCHIVE_AFTER
from service.platform.setting_kinds import age_in_seconds
from service.platform.targets import PARTIAL, Target, TargetUnavailable
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from service.storage.store import Store

_WAIT_SECONDS: Final = 3.0


@click.group(invoke_without_command=True)
@click.option(
    "--older-than", default=None, help="Only games that ended this long ago, such as 30d, 12h or 0s."
)
@click.option("--dry-run", is_flag=True, help="Only list the games that are due.")
@click.pass_context
def archive(context: click.Context, *, older_than: str | None, dry_run: bool) -> None:
    """Move finished, validated games to the archive that FIELDBOOK_ARCHIVE names."""
    if context.invoked_subcommand is None:
        _archive_due(older_than, dry_run=dry_run)


@archive.command()
@click.argument("game")
@exit_with_status
def restore(game: str) -> int:
    """Put an archived game back into the store, verified; its file stays in the archive."""
    with _open_archive() as (archiving, _store, _target):
        return _print(
            _run_each([game], "Restoring", lambda each: archiving.restore(each, now_milliseconds()))
        )


@archive.command()
@exit_with_status
def verify() -> int:
    """Read the file of every archived game again and verify it completely."""
    with _open_archive() as (archiving, store, target):
        try:
            # The files first: one that is archived meanwhile is then only missing in this list.
            names = set(target.names())
        except TargetUnavailable as error:
            raise ArchiveUnavailable(str(error)) from error
        games = list(archiving.archived())
        outcomes = _run_each(games, "Verifying", archiving.verify)
        for name in sorted(names - _referenced_files(store, games)):
            kind = "unfinished" if name.endswith(PARTIAL) else "no archived game refers to it"
            Console(stderr=True).print(f"{name}: {kind}", highlight=False, soft_wrap=True)
        return _print(outcomes)


@exit_with_status
def _archive_due(older_than: str | None, *, dry_run: bool) -> int:
    """Archive all games that are due, and name those that stay though they are old enough."""
    after = ARCHIVE_AFTER.value() if older_than is None else age_in_seconds(older_than)
    with _open_archive() as (archiving, store, _target):
        looked = list(review_games(store, now_milliseconds(), after))
        staying = [Outcome(each.game, "stays", each.stays) for each in looked if each.stays]
        due = [each for each in looked if not each.stays]
        if dry_run:
            return _print([*(Outcome(each.game, "due", events=each.version) for each in due), *staying])
        done = _run_each(
            [each.game for each in due],
            "Archiving",
            lambda game: archiving.archive(game, now_milliseconds()),
        )
        return _print([*done, *staying])


def _referenced_files(store: Store, games: Iterable[str]) -> set[str]:
    """The files that these games' tombstones name; one that cannot be read names none."""
    found = set()
    for game in games:
        with suppress(StoreDamaged):
            if tombstone := store.archiving.tombstone(game):
                found.add(tombstone.file)
    return found


@contextmanager
def _open_archive() -> Iterator[tuple[Archiving, Store, Target]]:
    target = archive_target(StoreSettings.from_environment())
    if target is None:
        raise StoreMisconfigured("There is no archive: set FIELDBOOK_ARCHIVE, such as file:///srv/archive.")
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        yield Archiving(store, target), store, target


def _run_each(games: list[str], doing: str, work: Callable[[str], Outcome]) -> list[Outcome]:
    outcomes = attempt_each(games, work)
    return list(track(outcomes, doing, total=len(games), console=Console(stderr=True), transient=True))


def _print(outcomes: list[Outcome]) -> int:
    table = Table("game", "result", "events", "bytes", Column("file or reason", overflow="fold"))
    for each in outcomes:
        table.add_row(each.game, each.what, str(each.events or ""), str(each.size or ""), escape(each.detail))
    if outcomes:
        Console().print(table)
    counted = Counter(each.what for each in outcomes)
    failed, others = counted.pop(FAILED, 0) + counted.pop(NOT_TRIED, 0), counted.pop("stays", 0)
    summary = f"{counted.total()} games, {failed} failed"
    Console().print(summary if not others else f"{summary}, {others} stay", highlight=False)
    return FINDING if failed else 0
