"""Parts of a table that belong together: what they are made of, and how; and what was made of them last."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.exports.page.cards import Cards

Ingredients = tuple[Any, ...]
"""What parts are made of. Those of the same ingredients are the same."""
Values = tuple[Any, ...]
"""The values of parts in the order of their names; None for one that is not there."""
_LATEST: Final = 3
"""What is kept of parts: as everything, as the public and as one seat see them."""


class Moment(NamedTuple):
    """A table as somebody sees it, in a phase, what its clock says, and what its players are called."""

    state: GameState
    phase: str
    clock: Sequence[str]
    names: tuple[str, ...]


class Made:
    """What was made last in one game, for whichever viewer: who sees the same is given the very same."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._latest: dict[str, list[tuple[Ingredients, Values]]] = {}

    def values(self, name: str, ingredients: Ingredients, make: Callable[[], Values]) -> Values:
        """What is made of these ingredients, anew unless that was done lately; few names can be used."""
        kept = self._latest.setdefault(name, [])
        for known, values in kept:
            if known == ingredients:
                return values
        made = make()
        kept.insert(0, (ingredients, made))
        del kept[_LATEST:]
        return made


class Words(NamedTuple):
    """What tells a game in a language: `rules` are None where this installation does not have them."""

    tell: Commentary
    cards: Cards
    rules: Rules | None
    made: Made


class Parts(NamedTuple):
    """Some parts of a table that are made of the same.

    Attributes:
        names: what they are called.
        made_of: what they are made of at a moment: whatever `make` looks at. A law in the tests holds that.
        make: makes them.
    """

    names: tuple[str, ...]
    made_of: Callable[[Moment], Ingredients]
    make: Callable[[Words, Moment], Values]

    def values(self, words: Words, moment: Moment, ingredients: Ingredients) -> Values:
        """Their values at a moment, at which they are made of these ingredients."""
        return words.made.values(self.names[0], ingredients, lambda: self.make(words, moment))
