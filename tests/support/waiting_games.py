"""Games that have just begun and wait for somebody, put into a store by the thousand: real entries, no service."""

import hashlib
from typing import Final

from events import commands as c
from events.game.table import new_table
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.store.event_store import EventStore
from service.access.game_access import SECRET, GamePolicy

SYSTEM: Final = "bean-duel"
PEOPLE: Final = ("Ada", "Bob")


def put_game(
    store: EventStore,
    game: str,
    at: int,
    clock: c.ClockSettings | None = None,
    *,
    close_after: int | None = None,
    seated: int = len(PEOPLE),
) -> None:
    """Put a game into a store in one append; with all seats taken it has begun at this moment.

    Raises:
        StoreError
    """
    secret = hashlib.sha256(game.encode()).hexdigest()
    table, log = new_table(
        game,
        SYSTEM,
        len(PEOPLE),
        options={},
        catalogue=shipped_catalogue(system_named(SYSTEM).catalogue),
        secret=secret,
        at=at,
        clock=clock,
        close_after=close_after,
    )
    for seat, name in enumerate(PEOPLE[:seated]):
        table, entries = table.submit(HOST, c.TakeSeat(seat, name, "human"), at)
        log += entries
    private = {SECRET: secret, **GamePolicy().private_fields()}
    store.append(game, log, expected_version=0, command_id="begun", fingerprint="begun", private=private)


def answering(seconds: int, strikes: int = 3) -> c.ClockSettings:
    """A clock by which everybody has so many seconds; the grace is a second more."""
    return c.ClockSettings(bank=0, increment=0, cap=seconds, answer=seconds, grace=1, strikes=strikes)
