"""How the cards of a game are dealt, where that is not as it always was: the same deal at several tables.

What follows from it is worked out in `events.game.dealing`.
"""

from typing import Final

import msgspec

DUPLICATE: Final = 2
"""The dealing by which all tables of a round get the same deal; that of games that name none is version 1."""


class Dealing(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The dealing of a game of a duplicate round, pinned in its first event."""

    version: int
    """2, the only one there is besides that of the games that name none."""
    seed: str
    """The round's own share of chance, the same at all of its tables, in place of the seats' seeds."""
