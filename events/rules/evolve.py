"""What an event means: `evolve(state, event) -> state`.

Everything that can change the table stands in `events/rules/evolving/`. Nothing there refuses, and nothing looks at
a rule system, because all it needs is in the event. Events filtered for one viewer fold as well: a card or number
that the viewer may not see is UNKNOWN_CARD or UNKNOWN_NUMBER.
"""

from collections.abc import Iterable
from functools import reduce

from events.domain_events import DomainEvent
from events.rules.evolving import bean_duel, lady_bohn, ladybohn, rulings, table, the_duel, trading, turn
from events.rules.evolving.evolvers import Evolvers
from events.rules.state import INITIAL_STATE, GameState

EVOLVERS: Evolvers = (
    table.TABLE
    | turn.TURN
    | trading.TRADING
    | bean_duel.BEAN_DUEL
    | the_duel.THE_DUEL
    | lady_bohn.LADY_BOHN
    | ladybohn.LADYBOHN
    | rulings.RULINGS
)
"""One function per event type; a test holds this table against `AnyEvent`."""


def evolve(state: GameState, event: DomainEvent) -> GameState:
    """The table after `event`; where that goes back to an earlier version, `state` is that version's table."""
    return EVOLVERS[type(event)](state, event)


def fold(events: Iterable[DomainEvent], state: GameState = INITIAL_STATE) -> GameState:
    """The table after all these events, in order."""
    return reduce(evolve, events, state)
