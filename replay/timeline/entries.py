"""An entry of a recording, and what is known after it."""

from collections.abc import Callable

import msgspec

from events.domain_events import DomainEvent
from events.game.clock import Clock
from events.log.disclosure import Form
from events.rules.table.state import INITIAL_STATE, GameState
from replay.timeline.known_hands import NOTHING_KNOWN, OpenKnowledge
from replay.verification.entry import VerifiedEntry


class Snapshot(msgspec.Struct, frozen=True, gc=False):
    """What is known after an entry: the table in the record's scope, the public's, what is known of hands, time."""

    whole: GameState = INITIAL_STATE
    public: GameState = INITIAL_STATE
    known: OpenKnowledge = NOTHING_KNOWN
    clock: Clock | None = None
    """None where the game has none. Where the game goes back, time does not."""


class RecordingEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry of a record.

    Attributes:
        at: when its command arrived: milliseconds since the epoch.
        actor: who acted, as the log has it.
        event: what happened, as the record's scope has it.
        opened: the same as everybody has it; the very same where nothing in it is hidden.
        moment: the moment after it.
    """

    at: int
    actor: str
    event: DomainEvent
    opened: DomainEvent
    moment: Snapshot
    _written: Form | VerifiedEntry

    @property
    def form(self) -> Form:
        """The entry as it stands in the record; where it was only verified so far, its line is read now."""
        return self._written.form if isinstance(self._written, VerifiedEntry) else self._written


Follow = Callable[[RecordingEntry], object]
"""Is told each entry of a recording while that is read."""
