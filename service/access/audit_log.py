"""The trail of operator acts: who did with a key what only few may do, when, and in which request.

It is only ever added to, and an act is written down before it is done: one that was not done may stand in it, one
that was done cannot be missing. It names keys and games, never a token and never a card.
"""

from typing import Final

import msgspec

COMMAND_LINE: Final = "command line"
"""Who acts where no key does: whoever can run `fieldbook` on the store."""
LOOKING_SECONDS: Final = 3600
"""Looks of one key at one game through the same eyes within so many seconds are one act.

So a key that looks all the time adds 24 acts a day for each pair of eyes: it does not flood what is kept for ever.
"""

RECORDED_SECONDS: Final = 3600
"""How long an act that is recorded again, after a lost reply, is recognised."""


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """One act."""

    at: int
    """Milliseconds since the epoch."""
    who: str
    """The id of the key that was used, or `command line`."""
    what: str
    """`key_created`, `key_revoked`, `hidden_cards_seen`, `seat_token_replaced`, `webhook_disabled`,
    `webhook_deleted`, `partition_released`."""
    about: str
    """The id of the key or of the game that it is about, or the number of the partition."""
    detail: str = ""
    """Through whose eyes, which seat, what kind of key, or why the partition was quarantined."""
    request: str = ""
    """The id of the HTTP request."""


class NumberedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act as it stands in the trail."""

    id: str
    """Its place: a later one is greater."""
    act: Act
