"""What the rules answer to a command: the events that it brings about, each with the table after it."""

import msgspec

from events.domain_events import DomainEvent
from events.rules.table.state import GameState


class Answer(msgspec.Struct, frozen=True, gc=False):
    """An event that a command brings about, and the table after it."""

    event: DomainEvent
    state: GameState
