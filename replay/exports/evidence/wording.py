"""The words of an evidence pack are those of its format, so that a pack which was kept is built again to the byte."""

from functools import cache
from types import MappingProxyType
from typing import Final

from events.rules.catalogues.catalogue import Catalogue
from replay.commentary import Commentary
from replay.commentary.messages import Messages

FORMAT: Final = "fieldbook-evidence/2"
"""The name of what is written now; a change of any member, or of a sentence, makes it another one."""
_FIRST: Final = MappingProxyType(
    {
        ("event", "starting_seat_chosen"): "{player} is the starting player.",
        ("event", "hand_dealt"): "{player} was dealt {cards}.",
        (
            "event",
            "dealer_called.shuffle.owed",
        ): "The dealer has to shuffle {pile}; {player} is owed {cards}.",
        ("event", "readiness_declared"): "{player} is ready: nothing more to trade.",
        ("event", "readiness_withdrawn"): "{player} is not ready any more.",
        ("event", "levy_earned"): "{player} has earned a levy.",
        ("event", "miss_move_opened"): "{player} may move a miss of field {field}.",
        ("event", "miss_moves_lapsed"): "{player} may no longer move a miss of field {field}.",
        ("part", "score"): "{player} has {score}",
        ("player", "words"): "",
    }
)
"""What was said otherwise until November 2026."""
_FORMATS: Final = MappingProxyType({FORMAT: MappingProxyType({}), "fieldbook-evidence/1": _FIRST})


class UnknownFormat(ValueError):
    """A pack was written by a later release; the message says which format it has."""


def commentary_of(catalogue: Catalogue, format_name: str) -> Commentary:
    """What tells a game in the words of a format.

    Raises:
        UnknownFormat: no release up to this one has written it.
    """
    if format_name not in _FORMATS:
        raise UnknownFormat(f"the pack has the format {format_name}, which is of a later release")
    return Commentary(catalogue, messages=_messages(format_name))


@cache
def _messages(format_name: str) -> Messages:
    return Messages("en", _FORMATS[format_name])
