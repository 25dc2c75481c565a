"""What the messages of events name, out of the member of the event that it stands for, in words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from events.rules.table.state import GameState
from replay.commentary.texts import NAME_LENGTH, make_printable

if TYPE_CHECKING:
    from replay.commentary.commentary import Commentary

_SECRET_LENGTH = 64
_NUMBERS = frozenset({"case", "fan", "field", "offer", "seat", "turn"})
"""Members of events that are told as they are."""
_WORDS: Mapping[str, Callable[["Commentary", GameState, Any], str]] = MappingProxyType(
    {
        "player": lambda tell, state, event: tell.player(state, event.seat),
        "partner": lambda tell, state, event: tell.player(state, event.to),
        "owner": lambda tell, state, event: tell.player(state, event.owner),
        "card": lambda tell, _, event: tell.names.one(event.card),
        "cards": lambda tell, _, event: tell.cards(event.cards),
        "bonus": lambda tell, _, event: tell.names.bonus(event.bonus),
        "bot": lambda _tell, _, event: make_printable(event.bot, NAME_LENGTH),
        "phase": lambda tell, _, event: tell.phase(event.phase),
        "pile": lambda tell, _, event: tell.pile(event.pile),
        "secret": lambda _tell, _, event: make_printable(event.secret, _SECRET_LENGTH),
        "system": lambda _tell, _, event: make_printable(event.system, NAME_LENGTH),
        "text": lambda _tell, _, event: make_printable(event.text),
        "version": lambda _tell, _, event: event.to_version,
    }
)


def variable(tell: "Commentary", state: GameState, event: Any, name: str) -> Any:
    """What a message calls by this name; `state` is the table after the event.

    Raises:
        KeyError: no event has anything of that name.
    """
    return getattr(event, name) if name in _NUMBERS else _WORDS[name](tell, state, event)
