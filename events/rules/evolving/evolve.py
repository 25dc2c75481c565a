"""What an event means: `evolve(state, event) -> state`.

Everything that can change the table stands beside this module, and in `evolve` of each room. Nothing there refuses,
and nothing looks at a rule system, because all it needs is in the event. Events filtered for one viewer fold as well:
a card or number that the viewer may not see is UNKNOWN_CARD or UNKNOWN_NUMBER.
"""

from collections.abc import Iterable
from functools import reduce

from events.domain_events import DomainEvent
from events.rules.evolving.places import Evolvers
from events.rules.rooms import modules_in, modules_of_rooms
from events.rules.table.state import INITIAL_STATE, GameState

EVOLVERS: Evolvers = {
    event: evolver
    for module in (*modules_in("events.rules.evolving"), *modules_of_rooms("evolve"))
    for event, evolver in getattr(module, "EVOLVERS", {}).items()
}
"""One function per event type; a test holds this table against `AnyEvent`."""


def evolve(state: GameState, event: DomainEvent) -> GameState:
    """The table after `event`; where that goes back to an earlier version, `state` is that version's table."""
    return EVOLVERS[type(event)](state, event)


def fold(events: Iterable[DomainEvent], state: GameState = INITIAL_STATE) -> GameState:
    """The table after all these events, in order."""
    return reduce(evolve, events, state)
