"""Tickets: the leave to see one game through one viewer's eyes, once and soon.

A browser's `EventSource` can send no headers, and a token in an address would be kept in histories and logs. So
whoever holds a token gets a ticket for it, which may stand in an address: it opens one stream and nothing else.
"""

import hashlib
import secrets
from typing import Final

import msgspec

from events.redis_store import RedisEventStore

PREFIX: Final = "fbt_"
"""Tickets begin like this."""
SECONDS: Final = 30
"""How long a ticket is good."""


class Ticket(msgspec.Struct, frozen=True):
    """What is stored about a ticket, under its hash."""

    game: str
    viewer: int
    seat: int | None = None
    """The seat whose token it was got with."""
    spectator: str | None = None
    """The spectator, likewise."""
    key: str | None = None
    """The id of the key, likewise."""
    field: str | None = None
    """The private field of the game under which the token is kept; the key's is none."""


class Tickets:
    """The tickets of a store. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep them beside the log of this store."""
        self._command = store.connection.command

    def issue(self, ticket: Ticket) -> str:
        """A text that is good for this ticket, once."""
        text = PREFIX + secrets.token_hex(20)
        self._command("SET", _key(text), msgspec.json.encode(ticket), "EX", SECONDS)
        return text

    def redeem(self, text: str) -> Ticket | None:
        """What a text is good for, from now on for nothing more; None where it is no ticket or has lapsed."""
        stored = self._command("GETDEL", _key(text)) if text.startswith(PREFIX) else None
        return msgspec.json.decode(stored, type=Ticket) if stored is not None else None


def _key(text: str) -> str:
    return f"fieldbook:ticket:{hashlib.sha256(text.encode()).hexdigest()}"
