"""Which message tells an event, and what its variables are: a function for each type of event."""

from collections.abc import Callable
from types import MappingProxyType

from events.domain_events import DomainEvent
from replay.commentary.sentences.bean_duel import BEAN_DUEL
from replay.commentary.sentences.lady_bohn import LADY_BOHN
from replay.commentary.sentences.ladybohn import LADYBOHN
from replay.commentary.sentences.rulings import RULINGS
from replay.commentary.sentences.table import TABLE
from replay.commentary.sentences.the_duel import THE_DUEL
from replay.commentary.sentences.trading import TRADING
from replay.commentary.sentences.turn import TURN

SENTENCES: MappingProxyType[type[DomainEvent], Callable[..., str]] = MappingProxyType(
    {**TABLE, **TURN, **TRADING, **BEAN_DUEL, **THE_DUEL, **LADY_BOHN, **LADYBOHN, **RULINGS}
)
"""One function per event type; a test holds this table against `AnyEvent`."""
