"""`fieldbook audit`: finds the games, shows the progress of the audit, and prints the results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from replay.platform.exit_status import FINDING, INTERRUPTED, WRONG_USE
from service.cli.exit_status import exit_with_status
from service.startup.store_opening import open_store
from service.storage.queues import QueueError, audit_queue, queue_connection
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.verification.audit_run import AGREE, FINDINGS, OUTCOMES, AuditRun, NoWorkers, Outcome
from service.verification.auditing import Auditor
from service.verification.finished_games import is_finished, list_finished_games
from service.verification.signing_keys import open_signing_keys

MOST_NAMED: Final = 50
"""Games with findings that are named one by one; the API lists all of them."""


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every finished game in the log.")
@click.option("--here", is_flag=True, help="Audit in this process, without workers.")
@click.option("--again", is_flag=True, help="Also audit games that have been audited already.")
@exit_with_status
def audit(*, games: tuple[str, ...], every: bool, here: bool, again: bool) -> int:
    """Put every command of stored games to the rules again, and sign the results.

    The rules are those that a game is pinned to, and today's. The workers do this. Results are kept: stop this
    command at any moment, and start it again to continue. Exit status: 0 when every game was played by the rules it
    is pinned to, 1 when one was not or could not be audited, 2 for wrong use.
    """
    if every == bool(games):
        raise click.UsageError("Name games, or choose all of them with --all.")
    settings = StoreSettings.from_environment()
    try:
        with closing(open_store(settings, wait_seconds=2)) as store:
            chosen = _check_finished(store, games) if games else list(list_finished_games(store))
            run = AuditRun(store, chosen, again=again)
            if here:
                return follow_run(run, run.here(Auditor(store, open_signing_keys(settings))))
            with closing(queue_connection()) as connection:
                return follow_run(run, run.by_workers(audit_queue(connection)))
    except (QueueError, NoWorkers) as error:
        away = "The queue cannot be reached: " if isinstance(error, QueueError) else ""
        click.echo(f"{away}{error}", err=True)
        return WRONG_USE


def _check_finished(store: Store, games: Sequence[str]) -> list[str]:
    """These games, each once.

    Raises:
        ValueError: one is not there, or not finished.
    """
    for game in games:
        head = store.head(game)
        if head is None:
            raise ValueError(f"There is no game {game!r}.")
        if not is_finished(store, game, head.version):
            raise ValueError(f"Game {game} is not finished: only a finished game is audited.")
    return list(dict.fromkeys(games))


def follow_run(run: AuditRun, outcomes: Iterator[Outcome]) -> int:
    """Follow a run with a progress bar and print its results; returns the exit status."""
    found = list(run.done)
    columns = (TextColumn("Auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task("Auditing", total=len(run.done) + len(run.to_do), completed=len(run.done))
            for outcome in outcomes:
                found.append(outcome)
                progress.advance(bar)
    except KeyboardInterrupt:
        left = len(run.done) + len(run.to_do) - len(found)
        Console(stderr=True).print(f"Stopped. Games left: {left}; run the same command again to continue.")
        return INTERRUPTED
    _print(found, before=len(run.done))
    return FINDING if any(each.outcome in FINDINGS for each in found) else 0


def _print(found: Sequence[Outcome], before: int) -> None:
    console = Console()
    findings = [each for each in found if each.outcome != AGREE]
    for each in findings[:MOST_NAMED]:
        console.print(
            f"{each.game}: {each.outcome}: {each.reason}", markup=False, highlight=False, soft_wrap=True
        )
    if len(findings) > MOST_NAMED:
        console.print(
            f"... and {len(findings) - MOST_NAMED} more; GET /v1/games/<id>/validations has each of them."
        )
    counted = Counter(each.outcome for each in found)
    table = Table("games", *OUTCOMES, "audited before")
    table.add_row(str(len(found)), *(str(counted[each]) for each in OUTCOMES), str(before))
    console.print(table)
