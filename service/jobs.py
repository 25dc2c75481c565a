"""RQ jobs: they take ids, trust nothing they are handed, and may run any number of times."""

from functools import cache
from typing import Any

import msgspec

from events.disclosure import ALL, form_for, viewer_name
from events.record import FORMAT, Header
from events.redis_store import RedisEventStore
from replay.verify import verify
from service.clock import now_milliseconds
from service.store_settings import open_store
from service.tables import Tables
from service.validations import Validations


@cache
def _store() -> RedisEventStore:
    return open_store(wait_seconds=10)


def validate_game(game: str) -> None:
    """Validate a finished game with the same verifier that an auditor runs, and store its report."""
    store = _store()
    Validations(store).add(game, validation_report(store, game, now_milliseconds()))


def validation_report(store: RedisEventStore, game: str, at: int) -> dict[str, Any]:
    """The verifier's report on a game in this store, made at `at` (milliseconds since the epoch)."""
    table = Tables(store).newest(game).table
    header = Header(FORMAT, game, viewer_name(ALL), table.rules.catalogue)
    forms = (form_for(recorded, table.key, ALL) for recorded in store.read(game))
    report: dict[str, Any] = msgspec.to_builtins(verify(header, forms))
    return {**report, "version": table.version, "at": at}
