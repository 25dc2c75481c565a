"""Tickets: the leave to see one game through one viewer's eyes, once and soon.

A browser's `EventSource` can send no headers, and a token in an address would be kept in histories and logs. So
whoever holds a token gets a ticket for it, which may stand in an address: it opens one stream and nothing else.
"""

from typing import Final

import msgspec

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
