"""`fieldbook projections`: the status of the list of games, rebuilding it, comparing it with the logs."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from replay.platform.exit_status import FINDING
from service.cli.exit_status import exit_with_status
from service.projections.comparing import Comparison
from service.projections.declared import PROJECTIONS
from service.projections.game_projection import GameProjection
from service.projections.generations import generation_name
from service.projections.progress import Status, unprojectable_games
from service.projections.projection import Projection
from service.projections.rebuilding import GamesUnprojectable, Rebuild
from service.projections.store import Generations
from service.ratings.rating_run import RatingRun
from service.ratings.store import RatingRecords
from service.startup.store_opening import open_store
from service.storage.store import Store
from service.verification.store import Validations

_WAIT_SECONDS: Final = 3.0
_BUSY_PAUSE: Final = 5.0


@click.group()
def projections() -> None:
    """Inspect, rebuild and compare the list of games.

    The list is computed from the feeds and logs. Exit status: 0 fine, 1 a finding, 2 wrong use or a store that
    cannot be used.
    """


@projections.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@exit_with_status
def status(*, as_json: bool) -> int:
    """Show how far the list is in each partition, and which games are in quarantine."""
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        found = Status.of(store)
    if as_json:
        click.echo(found.as_json())
    else:
        found.print()
    return 0 if found.is_well else FINDING


@projections.command()
@click.option(
    "--force", is_flag=True, help="Switch even where games that are listed now cannot be read again."
)
@click.option("--anew", is_flag=True, help="Start from nothing, whatever an earlier run has built.")
@click.option(
    "--ratings", is_flag=True, help="Not the list but the ratings: every finished game is verified again."
)
@exit_with_status
def rebuild(*, force: bool, anew: bool, ratings: bool) -> int:
    """Rebuild the list beside the one in use, and switch to it; games go on meanwhile."""
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        if ratings:
            return _rebuild_ratings(store)
        return max(_rebuild_one(store, each, force=force, anew=anew) for each in PROJECTIONS)


@projections.command()
@exit_with_status
def compare() -> int:
    """Rebuild the list separately, and compare it with the one in use, byte for byte."""
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        done, total = 0, sum(store.feed_end(partition) for partition in range(store.partitions))
        with _bar("Comparing") as bar:

            def advance(entries: int) -> None:
                nonlocal done
                done += entries
                bar(done, max(done, total))

            advance(0)
            differences = list(Comparison(store).run(advance))
    for each in differences:
        click.echo(f"partition {each.partition}, {each.part}, {each.member}:")
        click.echo(f"  listed:  {each.listed}\n  rebuilt: {each.rebuilt}")
    click.echo(f"{done} feed entries were projected again, {len(differences)} differences")
    return FINDING if differences else 0


@projections.command()
@exit_with_status
def retry() -> int:
    """Read the games in quarantine again, and validate those again that no release could read."""
    with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
        for partition in range(store.partitions):
            name = generation_name(Generations(store).in_use(partition))
            for game in GameProjection(store, name).retry(partition).released:
                click.echo(f"{game} has left quarantine")
        Validations(store).forget_unreadable()
        left = unprojectable_games(store)
    for game, each in left.items():
        click.echo(f"{game}: played to version {each.version}: {each.reason}")
    click.echo(f"{len(left)} games are in quarantine")
    return FINDING if left else 0


def _rebuild_one(store: Store, projection: type[Projection], *, force: bool, anew: bool) -> int:
    run = Rebuild(store, projection)
    if anew:
        run.begin_anew()
    with _bar("Rebuilding") as bar:
        run.build(bar)
    try:
        if not force:
            run.check()
    except GamesUnprojectable as refused:
        for game, reason in sorted(refused.games.items()):
            click.echo(f"{game}: {reason}")
        click.echo(
            f"{refused} {projection.title} is unchanged. Repair their logs and run `rebuild --anew`, or switch anyway"
            " with `rebuild --force`: then they are in quarantine.",
            err=True,
        )
        return FINDING
    run.switch()
    click.echo(
        f"{projection.title} is now generation {run.generation}, made of {run.progress()[0]} feed entries."
    )
    return 0


def _rebuild_ratings(store: Store) -> int:
    """Have every game read and verified again, and boards made of them beside those in use."""
    run, records = RatingRun(store), RatingRecords(store)
    run.begin_anew(_wait_for_worker)
    while not run.run(_wait_for_worker):
        click.echo("Rating: games are being read", err=True)
    applied = records.applied()
    games = 0 if applied is None else applied.games
    click.echo(f"The ratings are now generation {records.generation()}, made of {games} games.")
    return 0


def _wait_for_worker() -> None:
    click.echo("Rating: waiting for another process that counts games", err=True)
    time.sleep(_BUSY_PAUSE)


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
