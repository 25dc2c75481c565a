"""RQ jobs: they take ids, trust nothing they are handed, and may run any number of times."""

import logging
from functools import cache
from typing import Any

import msgspec

from events.disclosure import ALL, viewer_name
from events.record import RecordBroken
from events.redis_store import RedisEventStore
from events.store_errors import GameNotFound, StoreDamaged
from events.transparency.game_head import GameHead
from replay.report import Finding, Report
from replay.safe_text import safe
from replay.verify import verify
from service.archive_settings import archive_settings
from service.archiving import Archiving, NotArchived
from service.auditing import Auditor
from service.clock import now_milliseconds
from service.heartbeats import add_count
from service.signing_keys import SigningKeys, open_signing_keys
from service.store_opening import open_store
from service.store_settings import StoreSettings
from service.stored_record import GameUnreadable, check_readable, stored_record
from service.transparency_log import TransparencyLog
from service.validations import Validations

_log = logging.getLogger("fieldbook.worker")


@cache
def _store() -> RedisEventStore:
    return open_store(wait_seconds=10)


@cache
def _signing_keys() -> SigningKeys:
    return open_signing_keys(StoreSettings.from_environment())


@cache
def _transparency() -> TransparencyLog:
    return TransparencyLog(_store(), _signing_keys())


def forget_connections() -> None:
    """Open store and keys anew with the next job, from the environment as it is then."""
    for opened in (_store, _signing_keys, _transparency):
        opened.cache_clear()


def validate_game(game: str) -> None:
    """Log a finished game's head, validate it with the same verifier that an auditor runs, and store its report.

    A game that a newer release began has no report from this one.
    """
    store = _store()
    head = store.head(game)
    if head is None:
        raise GameNotFound(game)
    _transparency().log(GameHead(game, head.version, head.hash, "finished"))
    try:
        report = validation_report(store, game, now_milliseconds())
    except GameUnreadable as reason:
        _log.warning("game %s is not validated by this release: %s", game, reason)
        return
    Validations(store).add(game, report)
    add_count(store.connection, ("validations", "valid" if report["ok"] else "invalid"))


def audit_game(game: str, *, again: bool = False) -> str:
    """Audit a finished game and store its receipts; one that has them is left alone, unless asked `again`.

    Returns why the game cannot be audited here; empty where it was.
    """
    try:
        Auditor(_store(), _signing_keys()).audit(game, now_milliseconds(), again=again)
    except (GameUnreadable, GameNotFound) as reason:
        return str(reason)
    return ""


def archive_games() -> None:
    """Archive every finished game that is due; what fails is said in the log and tried again next time."""
    settings = archive_settings()
    if settings.target is None:
        return
    archiving = Archiving(_store(), settings.target)
    for summary in archiving.due(now_milliseconds(), settings.after_seconds):
        try:
            archiving.archive(summary.game, now_milliseconds())
        except (NotArchived, StoreDamaged) as error:
            _log.warning("game %s is not archived: %s", summary.game, error)


def validation_report(store: RedisEventStore, game: str, at: int) -> dict[str, Any]:
    """The verifier's report on a game in this store, made at `at` (milliseconds since the epoch).

    Raises:
        GameUnreadable, GameNotFound, StoreUnavailable
    """
    head = store.head(game)
    version = head.version if head is not None else 0
    report: dict[str, Any] = msgspec.to_builtins(_verified(store, game, version))
    return {**report, "version": version, "at": at}


def _verified(store: RedisEventStore, game: str, version: int) -> Report:
    try:
        header, forms = stored_record(store, game, version)
    except RecordBroken as broken:
        finding = Finding("record", broken.version, safe(broken.reason))
        return Report(ok=False, scope=viewer_name(ALL), game=game, findings=(finding,), stopped_early=True)
    report = verify(header, forms)
    check_readable(report)
    return report
