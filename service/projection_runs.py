"""`fieldbook projections`: looking at the list of games, building it anew, comparing it with the logs.

Exit status: 0 when all is well, 1 with a finding; a store that cannot be used is raised.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events.redis_store import RedisEventStore
from service.progress import quarantined_games
from service.projections.comparing import Comparison
from service.projections.game_projection import GameProjection
from service.projections.generations import Generations, generation_name
from service.projections.rebuilding import Rebuild, WouldQuarantine
from service.projections.status import Status
from service.store_opening import open_store
from service.validations import Validations

FINDING: Final = 1
_WAIT_SECONDS: Final = 3.0


def show_status(*, as_json: bool) -> int:
    """Print how the list is; a game in quarantine or a partition ahead of its feed is a finding, a lag is none."""
    with _opened() as store:
        found = Status.of(store)
    if as_json:
        click.echo(found.as_json())
    else:
        found.print()
    return 0 if found.is_well else FINDING


def rebuild_list(*, force: bool, anew: bool) -> int:
    """Build the list anew and switch to it; killed at any point, another run goes on where it stood."""
    with _opened() as store:
        run = Rebuild(store)
        if anew:
            run.begin_anew()
        with _bar("Rebuilding") as bar:
            run.build(lambda progress: bar(progress.done, progress.total))
        try:
            if not force:
                run.check()
        except WouldQuarantine as refused:
            for game, reason in sorted(refused.games.items()):
                click.echo(f"{game}: {reason}")
            click.echo(
                f"{refused} The list is as it was. Mend their logs and run `rebuild --anew`, or switch all the same"
                " with `rebuild --force`: then they are in quarantine.",
                err=True,
            )
            return FINDING
        run.switch()
        click.echo(
            f"The list of games is generation {run.generation} now, of {run.progress().done} feed entries."
        )
    return 0


def compare_list() -> int:
    """Print what the list says otherwise than one that is built anew."""
    with _opened() as store:
        done, total = 0, sum(store.feed_end(partition) for partition in range(store.partitions))
        with _bar("Comparing") as bar:

            def told(entries: int) -> None:
                nonlocal done
                done += entries
                bar(done, max(done, total))

            told(0)
            differences = list(Comparison(store).run(told))
    for each in differences:
        click.echo(f"partition {each.partition}, {each.part}, {each.member}:")
        click.echo(f"  listed:  {each.listed}\n  rebuilt: {each.rebuilt}")
    click.echo(f"{done} feed entries were projected again, {len(differences)} differences")
    return FINDING if differences else 0


def retry_games() -> int:
    """Read the games in quarantine again, and have those validated again that no release could read."""
    with _opened() as store:
        for partition in range(store.partitions):
            name = generation_name(Generations(store).in_use(partition))
            for game in GameProjection(store, name).retry(partition).released:
                click.echo(f"{game} has left quarantine")
        Validations(store).forget_unreadable()
        left = quarantined_games(store)
    for game, each in left.items():
        click.echo(f"{game}: played to version {each.version}: {each.reason}")
    click.echo(f"{len(left)} games are in quarantine")
    return FINDING if left else 0


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[int, int], object]]:
    """A progress bar on a terminal, elsewhere a line for each tenth; to be told how much is done, of how much."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(doing)
        return
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(doing, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


class _Lines:
    """Progress where there is no terminal."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._tenth = -1

    def __call__(self, done: int, total: int) -> None:
        tenth = 10 * done // total if total else 10
        if tenth > self._tenth:
            self._tenth = tenth
            click.echo(f"{self._doing}: {done} of {total} feed entries", err=True)


@contextmanager
def _opened() -> Iterator[RedisEventStore]:
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        yield store
