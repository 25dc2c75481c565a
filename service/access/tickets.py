"""Tickets: the leave to see one game through one viewer's eyes, once and soon.

A browser's `EventSource` can send no headers, and a token in an address would be kept in histories and logs. So
whoever holds a token gets a ticket for it, which may stand in an address: it opens one stream and nothing else.
"""

import hashlib
import secrets
from typing import Final

import msgspec

from events.store.event_store import EventStore
from service.access.store import TicketRecords

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

    def __init__(self, store: EventStore) -> None:
        """Keep them beside the log of this store."""
        self._records = TicketRecords(store)

    def issue(self, ticket: Ticket) -> str:
        """A text that is good for this ticket, once."""
        text = PREFIX + secrets.token_hex(20)
        self._records.add(_hash(text), msgspec.json.encode(ticket), SECONDS)
        return text

    def redeem(self, text: str) -> Ticket | None:
        """What a text is good for, from now on for nothing more; None where it is no ticket or has lapsed."""
        stored = self._records.take(_hash(text)) if text.startswith(PREFIX) else None
        return msgspec.json.decode(stored, type=Ticket) if stored is not None else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
