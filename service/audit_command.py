"""What `fieldbook audit` does: finds the games, shows how far the audit is, and says what has come out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

import redis
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from service.audit_run import AGREE, FINDINGS, OUTCOMES, AuditRun, NoWorkers, Outcome
from service.auditing import Auditor
from service.finished_games import finished_games, is_finished
from service.queues import audit_queue, queue_connection
from service.signing_keys import SigningKeysUnusable, open_signing_keys
from service.store_opening import open_store
from service.store_settings import StoreSettings

MOST_NAMED: Final = 50
"""Games with something to say about them that are named one by one; the API tells of all."""


class CannotAudit(Exception):
    """The audit cannot be made; the message says why and what to do."""


def audit_games(games: Sequence[str], *, here: bool, again: bool) -> int:
    """Audit these stored games, or all that are finished where none is named; returns the exit status.

    Raises:
        CannotAudit: a game is not there or not finished, store or queue is away, or nobody does the jobs.
    """
    settings = StoreSettings.from_environment()
    try:
        with closing(open_store(settings, wait_seconds=2)) as store:
            named = _named(store, games) if games else list(finished_games(store))
            run = AuditRun(store, named, again=again)
            if here:
                return shown(run, run.here(Auditor(store, open_signing_keys(settings))))
            with closing(queue_connection()) as connection:
                return shown(run, run.by_workers(audit_queue(connection)))
    except redis.RedisError as error:
        raise CannotAudit(f"The queue cannot be reached: {error}") from error
    except (StoreError, SigningKeysUnusable, NoWorkers) as error:
        raise CannotAudit(str(error)) from error


def _named(store: RedisEventStore, games: Sequence[str]) -> list[str]:
    for game in games:
        head = store.head(game)
        if head is None:
            raise CannotAudit(f"There is no game {game!r}.")
        if not is_finished(store, game, head.version):
            raise CannotAudit(f"Game {game} is not finished: only a finished game is audited.")
    return list(dict.fromkeys(games))


def shown(run: AuditRun, outcomes: Iterator[Outcome]) -> int:
    """Follow a run with a progress bar and print what has come out; returns the exit status."""
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
        Console(stderr=True).print(f"Stopped with {left} games to go; the same command goes on from here.")
        return 1
    _print(found, before=len(run.done))
    return 1 if any(each.outcome in FINDINGS for each in found) else 0


def _print(found: Sequence[Outcome], before: int) -> None:
    console = Console()
    told = [each for each in found if each.outcome != AGREE]
    for each in told[:MOST_NAMED]:
        console.print(
            f"{each.game}: {each.outcome}: {each.reason}", markup=False, highlight=False, soft_wrap=True
        )
    if len(told) > MOST_NAMED:
        console.print(f"... and {len(told) - MOST_NAMED} more; GET /v1/games/<id>/validations tells of each.")
    counted = Counter(each.outcome for each in found)
    table = Table("games", *OUTCOMES, "audited before")
    table.add_row(str(len(found)), *(str(counted[each]) for each in OUTCOMES), str(before))
    console.print(table)
