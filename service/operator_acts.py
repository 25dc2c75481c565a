"""The trail of operator acts: who did with a key what only few may do, when, and in which request.

It is only ever added to, and an act is written down before it is done: one that was not done may stand in it, one
that was done cannot be missing. It names keys and games, never a token and never a card.

{operator}:acts               stream: one entry per act
{operator}:looked:<...>       string that expires: this key has looked at this game through these eyes just now
"""

from typing import Final

import msgspec

from events.redis_store import RedisEventStore
from service.clock import now_milliseconds

COMMAND_LINE: Final = "command line"
"""Who acts where no key does: whoever can run `fieldbook` on the store."""
LOOKING_SECONDS: Final = 60
"""Looks of one key at one game through the same eyes within so many seconds are one act."""
_ACTS: Final = "{operator}:acts"


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


class OperatorActs:
    """The trail of an installation. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Keep the trail beside the log."""
        self._connection = store.connection

    def record(self, act: Act) -> None:
        """Add an act, before it is done."""
        self._connection.command("XADD", _ACTS, "*", "act", msgspec.json.encode(act))

    def record_look(self, act: Act) -> None:
        """Add that hidden cards are looked at, unless the same look was added just now."""
        mark = f"{{operator}}:looked:{act.who}/{act.about}/{act.detail}"
        if self._connection.command("SET", mark, "1", "NX", "EX", LOOKING_SECONDS) is None:
            return
        try:
            self.record(act)
        except Exception:
            # The next look has to be written down again: this one was not.
            self._connection.command("DEL", mark)
            raise

    def page(self, limit: int, before: str | None = None) -> tuple[list[NumberedAct], str | None]:
        """At most `limit` acts before a place, the newest first, and where the next page begins, if there is one."""
        last = "+" if before is None else f"({before}"
        found = self._connection.command("XREVRANGE", _ACTS, last, "-", "COUNT", limit + 1)
        acts = [
            NumberedAct(id=place.decode(), act=msgspec.json.decode(fields[1], type=Act))
            for place, fields in found[:limit]
        ]
        return acts, acts[-1].id if len(found) > limit else None


def record_act(store: RedisEventStore, what: str, about: str, detail: str = "") -> None:
    """Write down what is done from the command line, before it is done."""
    act = Act(at=now_milliseconds(), who=COMMAND_LINE, what=what, about=about, detail=detail)
    OperatorActs(store).record(act)
