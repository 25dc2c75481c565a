"""The trail of operator acts: who did with a key what only few may do, when, and in which request.

It is only ever added to, and an act is written down before it is done: one that was not done may stand in it, one
that was done cannot be missing. It names keys and games, never a token and never a card.
"""

from typing import Final

import msgspec

from events.store.event_store import EventStore
from service.access.store import AuditRecords
from service.platform.clock import now_milliseconds

COMMAND_LINE: Final = "command line"
"""Who acts where no key does: whoever can run `fieldbook` on the store."""
LOOKING_SECONDS: Final = 60
"""Looks of one key at one game through the same eyes within so many seconds are one act."""


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


class AuditLog:
    """The trail of an installation. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep the trail beside the log."""
        self._records = AuditRecords(store)

    def record(self, act: Act) -> None:
        """Add an act, before it is done."""
        self._records.add(msgspec.json.encode(act))

    def record_look(self, act: Act) -> None:
        """Add that hidden cards are looked at, unless the same look was added just now."""
        look = f"{act.who}/{act.about}/{act.detail}"
        if not self._records.mark_look(look, LOOKING_SECONDS):
            return
        try:
            self.record(act)
        except Exception:
            # The next look has to be written down again: this one was not.
            self._records.unmark_look(look)
            raise

    def page(self, limit: int, before: str | None = None) -> tuple[list[NumberedAct], str | None]:
        """At most `limit` acts before a place, the newest first, and where the next page begins, if there is one."""
        found = self._records.page(limit + 1, before)
        acts = [
            NumberedAct(id=place, act=msgspec.json.decode(stored, type=Act))
            for place, stored in found[:limit]
        ]
        return acts, acts[-1].id if len(found) > limit else None


def record_act(store: EventStore, what: str, about: str, detail: str = "") -> None:
    """Write down what is done from the command line, before it is done."""
    act = Act(at=now_milliseconds(), who=COMMAND_LINE, what=what, about=about, detail=detail)
    AuditLog(store).record(act)
