"""Games as a page draws them for a viewer: what everybody sees of a table, and with it what any seat sees.

What a viewer sees is more than the whole table with cards left out: a hand that was taken up from the open table is
known to all. So the open table is folded beside the whole one, as a record's reader folds it
(`replay.timeline.recording`), and only where somebody asks for one.
"""

from typing import Final

import msgspec

from events.domain_events import DomainEvent
from events.game.table import Table
from events.log.disclosure import ALL, PUBLIC
from events.log.recorded import RecordedEvent
from events.log.redacted import event_in
from events.rules.table.state import GameState
from events.store.event_store import EventStore
from replay.records.hidden import redact_for_public
from replay.timeline.recording import table_of_seat
from service.play.snapshots import Snapshot, Snapshots

CAPACITY: Final = 4_096
"""Snapshots of the open tables of all games together."""


class OpenTables:
    """The open tables of this process; safe to use from many threads."""

    def __init__(self, store: EventStore) -> None:
        """Fold the logs of this store."""
        self._snapshots = Snapshots(store, CAPACITY, open_event)

    def at(self, table: Table) -> Snapshot:
        """What everybody sees of a game at the version of this table.

        Raises:
            GameNotFound, StoreUnavailable
        """
        return self._snapshots.at(table.game, table.version)


def open_event(entry: RecordedEvent) -> DomainEvent:
    """The event of an entry as everybody sees it, without its commitments, which nobody reads here."""
    data = msgspec.json.decode(entry.data)
    return event_in(redact_for_public({"type": entry.type, "schema": entry.schema, "data": data}))


def seen_table(whole: GameState, public: GameState, viewer: int) -> GameState:
    """The table as a viewer sees it, from the whole one and from what everybody sees, at one version."""
    if viewer == ALL:
        return whole
    return public if viewer == PUBLIC else table_of_seat(whole, public, viewer)
