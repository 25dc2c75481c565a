"""What commands over many games have in common: where the games come from, who reads them, and a bar."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from replay.across.left import BY_CHOICE, Left, Reason, count_left
from replay.across.mapping import Mapped, map_games
from replay.across.played_game import PlayedGame
from replay.across.source import GameSource, RecordFolder
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe
from service.across.archived_games import ArchivedGames
from service.across.part_job import ARCHIVE, STORE
from service.across.queued_map import Asked, map_by_workers
from service.across.stored_games import StoredGames
from service.storage.queues import audit_queue, queue_connection
from service.storage.settings import StoreSettings

MOST_NAMED: Final = 50
"""Games left out that are named on the screen."""
_REASONS: Final = click.Choice(sorted(reason.value for reason in BY_CHOICE))
_Answer = TypeVar("_Answer")
_Command = Callable[..., None]


by_workers_option: Final = click.option(
    "--by-workers",
    is_flag=True,
    help="Have the workers of the queue read the games, on whatever machines they are.",
)


def many_games_options(command: _Command) -> _Command:
    """The options that say where games come from, which are left out, and how many processes read them."""
    for option in (
        by_workers_option,
        click.option("--workers", type=WholeRange(1), help="Processes to use; as many as there are cores."),
        click.option("--take", multiple=True, type=_REASONS, help="Take these games in; repeatable."),
        click.option(
            "--leave-out", multiple=True, type=_REASONS, help="Leave these games out, too; repeatable."
        ),
        click.option(
            "--archive", is_flag=True, help="Take the files of the archive, without asking the store."
        ),
        click.option(
            "--records",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="Take the record files in this folder, instead of the store's games.",
        ),
    ):
        command = option(command)
    return command


def open_source(records: Path | None, *, archive: bool) -> GameSource:
    """The games that were asked for: a folder's, the archive's, or the store's.

    Raises:
        click.UsageError: a folder and the archive were asked for.
        ValueError: there is no archive, or no record in the folder.
        StoreMisconfigured: a setting cannot be understood.
    """
    if archive and records is not None:
        raise click.UsageError("Take records from a folder or from the archive, not from both.")
    if records is not None:
        return _open_folder(records)
    settings = StoreSettings.from_environment()
    if not archive:
        return StoredGames(settings)
    if settings.archive is None:
        raise ValueError("There is no archive: set FIELDBOOK_ARCHIVE, such as file:///srv/archive.")
    return ArchivedGames(settings.archive, settings.archive_options)


def _open_folder(path: Path) -> RecordFolder:
    source = RecordFolder(path)
    try:
        found = next(source.names(), None)
    except OSError as error:
        raise ValueError(str(error)) from error
    if found is None:
        raise ValueError(f"There is no record in {path}.")
    return source


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads the games.

    Attributes:
        source: where they are.
        workers: how many processes of this command read them; None for as many as there are cores.
        by_workers: whether the workers of the queue do instead.
    """

    source: GameSource
    workers: int | None
    by_workers: bool

    def __post_init__(self) -> None:
        """Refuse what does not go together.

        Raises:
            click.UsageError: so many processes of this command, or files that workers do not have, were asked for.
        """
        if self.by_workers and self.workers is not None:
            raise click.UsageError("Choose --workers for processes of this command, or --by-workers.")
        if self.by_workers and isinstance(self.source, RecordFolder):
            raise click.UsageError("Workers read the games of their store or archive: leave --records out.")

    def map(
        self,
        named: str,
        function: Callable[[PlayedGame], _Answer],
        left: Iterable[Reason],
        names: Sequence[str],
        arguments: Sequence[str] = (),
    ) -> Generator[Mapped[_Answer] | Left, None, None]:
        """Put the games to a pass: name and arguments are for workers of the queue, the function for processes here.

        Raises:
            NotMapped, QueueError: the workers of the queue cannot do it.
        """
        leave_out = frozenset(left)
        if not self.by_workers:
            yield from map_games(function, self.source, self.workers, leave_out, names)
            return
        where = ARCHIVE if isinstance(self.source, ArchivedGames) else STORE
        with closing(queue_connection()) as connection:
            yield from map_by_workers(
                Asked(named, where, leave_out, arguments), names, audit_queue(connection)
            )


def follow_with_bar(answers: Generator[_Answer, None, None], total: int, doing: str) -> Iterator[_Answer]:
    """The answers of a map while a bar shows how far it is; the map ends with whoever takes them."""
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress, closing(answers):
        bar = progress.add_task(doing, total=total)
        for each in answers:
            yield each
            progress.advance(bar)


def name_left(left: Sequence[Left], elsewhere: str) -> str:
    """Name games that were left out on standard error, so many at most; answers how many they are, by reason."""
    for each in left[:MOST_NAMED]:
        click.echo(f"{safe(each.name, 200)}: {each.reason}: {each.detail}", err=True)
    if len(left) > MOST_NAMED:
        click.echo(f"... and {len(left) - MOST_NAMED} more; {elsewhere} names them.", err=True)
    return ", ".join(f"{count} {reason}" for reason, count in count_left(left).items()) or "none"
