"""RQ jobs: they take ids, trust nothing they are handed, and may run any number of times."""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import msgspec

from events.commitments import salt_key
from events.disclosure import ALL, Form, form_for, viewer_name
from events.record import FORMAT, Header, RecordBroken
from events.redis_store import RedisEventStore
from events.rules.catalogue import CatalogueInvalid
from events.rules.installed import installed_catalogue
from events.store_errors import GameNotFound, StoreDamaged
from events.transparency.game_head import GameHead
from events.upcasting import UndecodableEvent
from replay.report import Finding, Report
from replay.safe_text import safe
from replay.verify import verify
from service.clock import now_milliseconds
from service.signing_keys import open_signing_keys
from service.store_settings import StoreSettings, open_store
from service.tables import SECRET
from service.transparency_log import TransparencyLog
from service.validations import Validations

CHUNK = 500
"""Entries read at once."""


@cache
def _store() -> RedisEventStore:
    return open_store(wait_seconds=10)


@cache
def _log() -> TransparencyLog:
    return TransparencyLog(_store(), open_signing_keys(StoreSettings.from_environment()))


def validate_game(game: str) -> None:
    """Log a finished game's head, validate it with the same verifier that an auditor runs, and store its report."""
    store = _store()
    head = store.head(game)
    if head is None:
        raise GameNotFound(game)
    _log().log(GameHead(game, head.version, head.hash, "finished"))
    Validations(store).add(game, validation_report(store, game, now_milliseconds()))


def validation_report(store: RedisEventStore, game: str, at: int) -> dict[str, Any]:
    """The verifier's report on a game in this store, made at `at` (milliseconds since the epoch).

    Raises:
        GameNotFound, StoreUnavailable
    """
    key = salt_key(store.private(game)[SECRET])
    head = store.head(game)
    version = head.version if head is not None else 0
    report: dict[str, Any] = msgspec.to_builtins(_verified(store, game, version, key))
    return {**report, "version": version, "at": at}


def _verified(store: RedisEventStore, game: str, version: int, key: bytes) -> Report:
    forms = _forms(store, game, version, key)
    try:
        first = next(forms)
        header = Header(
            FORMAT, game, viewer_name(ALL), installed_catalogue(str(first.entry["data"]["catalogue"]))
        )
    except (RecordBroken, CatalogueInvalid, LookupError, TypeError) as error:
        finding = Finding("record", 1, safe(str(error)))
        return Report(ok=False, scope=viewer_name(ALL), game=game, findings=(finding,), stopped_early=True)
    return verify(header, chain([first], forms))


def _forms(store: RedisEventStore, game: str, version: int, key: bytes) -> Iterator[Form]:
    """The log's entries in their forms, up to this version.

    Raises:
        RecordBroken: at the version that is missing or cannot be read.
    """
    after, size = 0, CHUNK
    while after < version:
        try:
            entries = store.read(game, after, size)
        except StoreDamaged as damaged:
            if size == 1:
                raise RecordBroken(after + 1, str(damaged)) from damaged
            size = 1
            continue
        for recorded in entries:
            after = recorded.version
            try:
                form = form_for(recorded, key, ALL)
            except (
                msgspec.DecodeError,
                LookupError,
                ValueError,
                TypeError,
                AttributeError,
                UndecodableEvent,
            ) as error:
                raise RecordBroken(after, f"this entry cannot be read: {error}") from error
            yield form
