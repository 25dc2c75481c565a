"""RQ jobs: they take ids, trust nothing they are handed, and may run any number of times."""

import logging
import time
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec

from events.game.record import RecordBroken
from events.log.disclosure import ALL, viewer_name
from events.store.errors import ArchiveUnavailable, GameNotFound
from events.transparency.game_head import GameHead
from replay.platform.safe_text import safe
from replay.records.report import Finding, Report
from replay.verification.verify import verify
from service.archive.archiving import Archiving
from service.archive.attempts import FAILED, NOT_TRIED, attempt_each
from service.archive.due import ReviewedGame, review_games
from service.archive.files import archive_target
from service.disputes.dispute_resolution import DisputeResolution, open_dispute_resolution
from service.disputes.evidence import EvidencePacks
from service.jobs.dispatching import Dispatcher
from service.jobs.tracing_job import tracing_job
from service.platform.clock import now_milliseconds
from service.platform.configuration import ARCHIVE_AFTER
from service.play.tables import Tables
from service.startup.store_opening import open_store
from service.storage.heartbeats import count_if_possible
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.telemetry.spans import span
from service.verification.auditing import Auditor
from service.verification.finished_games import list_games
from service.verification.readable import readable_here
from service.verification.signing_keys import SigningKeys, open_signing_keys
from service.verification.store import Unreadable, Validations
from service.verification.stored_record import GameUnreadable, check_readable, read_stored_record
from service.verification.transparency_log import TransparencyLog

ARCHIVING_PART_SECONDS: Final = 5.0
"""After so long a job of archiving leaves the rest to another one, so that validations come in between."""
MOST_NAMED: Final = 10
"""Games that a run of archiving names in the log, of each kind; of the others it says how many there are."""
_log = logging.getLogger("fieldbook.worker")


@cache
def _store() -> Store:
    return open_store(wait_seconds=10, quietly=True)


@cache
def _signing_keys() -> SigningKeys:
    return open_signing_keys(StoreSettings.from_environment())


@cache
def _transparency() -> TransparencyLog:
    return TransparencyLog(_store(), _signing_keys())


@cache
def _dispute_resolution() -> DisputeResolution:
    return open_dispute_resolution(_store(), Tables(_store()))


def forget_connections() -> None:
    """Open store and keys anew with the next job, from the environment as it is then."""
    for opened in (_store, _signing_keys, _transparency, _dispute_resolution):
        opened.cache_clear()


def validate_game(game: str) -> None:
    """Log a finished game's head, validate it with the same verifier that an auditor runs, and store its report.

    A game that cannot be read here keeps the verdict that it has, such as one whose file in the archive is damaged.
    Why is remembered: one without a verdict is tried again by the first release that reads something else.

    Raises:
        GameNotFound, StoreDamaged, StoreUnavailable: the job is tried again.
    """
    with tracing_job("validate", game):
        _validate(game)


def _validate(game: str) -> None:
    store = _store()
    head = store.head(game)
    if head is None:
        raise GameNotFound(game)
    _transparency().log(GameHead(game, head.version, head.hash, "finished"))
    try:
        report = validation_report(store, game, now_milliseconds())
    except GameUnreadable as reason:
        _log.warning("game %s is not validated: %s", game, reason)
        Validations(store).note_unreadable(game, Unreadable(head.version, readable_here(), str(reason)))
        return
    validations = Validations(store)
    validations.add(game, report)
    if not report["ok"]:
        validations.note_unreadable(game, Unreadable(head.version, readable_here(), "it was found invalid"))
    count_if_possible(store, ("validations", "valid" if report["ok"] else "invalid"))


def audit_game(game: str, *, again: bool = False) -> str:
    """Audit a finished game and store its receipts; one that has them is left alone, unless asked `again`.

    Returns why the game cannot be audited here; empty where it was.
    """
    try:
        Auditor(_store(), _signing_keys()).audit(game, now_milliseconds(), again=again)
    except (GameUnreadable, GameNotFound, ArchiveUnavailable) as reason:
        return str(reason)
    return ""


def audit_games(games: list[str], *, again: bool = False) -> dict[str, str]:
    """Audit finished games one after the other, as `audit_game` does each.

    Returns why games cannot be audited here, by game; without those that were.
    """
    reasons = {game: audit_game(game, again=again) for game in games}
    return {game: reason for game, reason in reasons.items() if reason}


def archive_games(partition: int = 0, looked_at: int = 0) -> None:
    """Archive finished games that are due, for some seconds; then another job goes on where this one ends.

    It begins with a partition, of which so many games were looked at. What fails or stays is said, and looked at
    again with the next run. Where the archive or the store is away the run ends.
    """
    target = archive_target(StoreSettings.from_environment())
    if target is None:
        return
    store, until = _store(), time.monotonic() + ARCHIVING_PART_SECONDS
    archiving = Archiving(store, target)
    for each in range(partition, store.partitions):
        games = _Part(list_games(store, [each]), looked_at if each == partition else 0, until)
        looked = review_games(store, now_milliseconds(), ARCHIVE_AFTER.value(), games)
        if not _archive_each(archiving, looked):
            return
        if games.is_cut:
            Dispatcher(store).go_on_archiving(each, games.looked_at)
            return


class _Part:
    """Games of a partition behind those that were looked at, until the time is over; one at least."""

    def __init__(self, games: Iterable[tuple[str, int]], looked_at: int, until: float) -> None:
        self._games = islice(games, looked_at, None)
        self._until = until
        self.looked_at = looked_at
        self.is_cut = False

    def __iter__(self) -> Iterator[tuple[str, int]]:
        for game in self._games:
            self.looked_at += 1
            yield game
            if time.monotonic() >= self._until:
                self.is_cut = True
                return


def _archive_each(archiving: Archiving, games: Iterable[ReviewedGame]) -> bool:
    """Archive those of these games that do not stay; False where the archive or the store is away."""
    staying: list[tuple[str, str]] = []

    def due() -> Iterator[str]:
        for each in games:
            if each.stays:
                staying.append((each.game, each.stays))
            else:
                yield each.game

    outcomes = list(attempt_each(due(), lambda game: archiving.archive(game, now_milliseconds())))
    _say("not archived", [(each.game, each.detail) for each in outcomes if each.what == FAILED])
    not_tried = [(each.game, "") for each in outcomes if each.what == NOT_TRIED]
    _say("not tried any more", not_tried)
    _say("kept in the store", staying)
    return not not_tried


def settle_disputes(game: str) -> None:
    """Write down what has lapsed or become final in the cases of a game; changes nothing where nothing has.

    Raises:
        GameNotFound, StoreDamaged, StoreUnavailable, TooBusy: the next sweep tries again.
    """
    _dispute_resolution().pass_deadlines(game, now_milliseconds())


def build_evidence(game: str) -> None:
    """Build the evidence packs that the cases of a game wait for; does nothing where none waits.

    Raises:
        GameNotFound, GameUnreadable, StoreDamaged, StoreUnavailable, TooBusy: a sweep tries again.
    """
    EvidencePacks(_store()).build(game, now_milliseconds())


def _say(what: str, games: list[tuple[str, str]]) -> None:
    for game, reason in games[:MOST_NAMED]:
        _log.warning("game %s is %s: %s", game, what, reason)
    if len(games) > MOST_NAMED:
        _log.warning("%d more games are %s", len(games) - MOST_NAMED, what)


def validation_report(store: Store, game: str, at: int) -> dict[str, Any]:
    """The verifier's report on a game in this store, made at `at` (milliseconds since the epoch).

    Raises:
        GameUnreadable, GameNotFound, StoreUnavailable
    """
    head = store.head(game)
    version = head.version if head is not None else 0
    try:
        header, forms = read_stored_record(store, game, version)
    except RecordBroken as broken:
        finding = Finding("record", broken.version, safe(broken.reason))
        report = Report(ok=False, scope=viewer_name(ALL), game=game, findings=(finding,), stopped_early=True)
    else:
        with span("verify"):
            report = verify(header, forms)
        check_readable(report)
    return {**msgspec.to_builtins(report), "version": version, "at": at}
