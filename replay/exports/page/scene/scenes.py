"""The scenes of one viewer, version by version: at each of them only what is not as it was."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import is_
from typing import Any, Final

from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE, GameState
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.scene.middle import MIDDLE, OFFERS
from replay.exports.page.scene.parts import Ingredients, Made, Moment, Values, Words
from replay.exports.page.scene.players import own_parts, player_parts
from replay.timeline.recording import table_of_seat

Scene = Mapping[str, Any]
"""The parts of a table that are there, by their names."""
Change = Mapping[str, Any]
"""Parts that are not as they were: what each of them is now, None where it is not there any more."""
_ORDER: Final = {
    name.rpartition(".")[2]: place
    for place, name in enumerate(name for parts in (*MIDDLE, *player_parts(0)) for name in parts.names)
}


@cache
def rank(name: str) -> tuple[int, int]:
    """Where a part stands in a scene: the middle first, then each player.

    >>> sorted(["10.who", "2.hand", "2.who", "offers"], key=rank)
    ['offers', '2.who', '2.hand', '10.who']
    """
    number, _, part = name.rpartition(".")
    return int(number) if number else -1, _ORDER[part]


class Scenes:
    """The scenes of one viewer, version by version."""

    def __init__(
        self, tell: Commentary, cards: Cards, rules: Rules | None, beside: "Scenes | None" = None
    ) -> None:
        """Tell a game in a language; `rules` are None where this installation does not have them.

        What was made for the viewer `beside` of the same game is not made again.
        """
        self.words: Words = Words(tell, cards, rules, Made()) if beside is None else beside.words
        self.parts: dict[str, Any] = {}
        self._made_of: dict[str, Ingredients] = {}
        self._before = Moment(INITIAL_STATE, "", (), ())

    def scene(self, state: GameState, phase: str, clock: Sequence[str] = ()) -> Scene:
        """The table in this state and phase, and what its clock says."""
        self.go_on(state, phase, clock)
        return {name: value for name, value in self.parts.items() if value is not None}

    def go_on(self, state: GameState, phase: str, clock: Sequence[str] = ()) -> Change:
        """Take the table at the next version; what changes is in the order of a scene."""
        before = self._before
        moment = self._before = moment_of(state, phase, clock)
        change: dict[str, Any] = {}
        touched = chain.from_iterable(map(player_parts, seats_touched(before, moment)))
        for parts in chain(MIDDLE, touched):
            name, ingredients = parts.names[0], parts.made_of(moment)
            if self._made_of.get(name) != ingredients:
                self._made_of[name] = ingredients
                self._take(change, parts.names, parts.values(self.words, moment, ingredients))
        return change

    def _take(self, change: dict[str, Any], names: Iterable[str], values: Values) -> None:
        """Take the values of these parts, and note those that are not as they were."""
        parts = self.parts
        for name, value in zip(names, values, strict=True):
            old = parts.setdefault(name, None)
            if old is not value and old != value:
                parts[name] = change[name] = value


class SeatScenes:
    """The scenes of a seat, made from the public's with what the seat may see otherwise in its place.

    That this is nothing but its hand, its offers and its bonus cards is how the table of a seat is put together
    (`replay.timeline.recording`); a law in the tests holds it against the table itself.
    """

    def __init__(self, public: Scenes, seat: int) -> None:
        """See the game of which the public has these scenes from a seat."""
        self._public, self._seat = public, seat
        self._own: Mapping[str, Any] = {}
        self._seen: tuple[Any, ...] = ()

    def go_on(self, whole: GameState, public: GameState, phase: str, opened: Change) -> Change:
        """Take the tables at the next version, once the public's scenes have; `opened` is what changed there."""
        before, own = self._own, self._look(whole, public, phase)
        if own is before:
            shadowed = own and not own.keys().isdisjoint(opened)
            return {name: opened[name] for name in opened if name not in own} if shadowed else opened
        self._own = own
        change = {name: value for name, value in opened.items() if name not in own}
        for name in {**before, **own}:
            value = own[name] if name in own else self._public.parts[name]
            if name not in before or (before[name] is not value and before[name] != value):
                change[name] = value
        return change

    def _look(self, whole: GameState, public: GameState, phase: str) -> Mapping[str, Any]:
        """The parts that are made of what the seat may see otherwise; the very same where nothing of it changed."""
        number = self._seat
        own, shown = whole.seats[number], public.seats[number]
        seen: tuple[Any, ...] = (own.hand, shown.hand, shown.fields, whole.duel, public.duel)
        parts = own_parts(number)
        if whole.offers and any(each.seat == number for each in whole.offers):
            parts = (OFFERS, *parts)
            seen += (whole.offers, public.offers, public.revealed, public.seats)
        if len(seen) == len(self._seen) and all(map(is_, seen, self._seen)):
            return self._own
        self._seen = seen
        moment = moment_of(table_of_seat(whole, public, number), phase, ())
        found: dict[str, Any] = {}
        for each in parts:
            values = each.values(self._public.words, moment, each.made_of(moment))
            found |= zip(each.names, values, strict=True)
        return found


# --- what scenes are made of -------------------------------------------------------------------------------


def moment_of(state: GameState, phase: str, clock: Sequence[str]) -> Moment:
    """A table at a moment."""
    return Moment(state, phase, clock, tuple([seat.name for seat in state.seats]))


def seats_touched(before: Moment, moment: Moment) -> Iterator[int]:
    """The players of whom something may have changed; a table loses none of them."""
    old, new = before.state, moment.state
    everybody = (
        old.result is not new.result
        or old.duel is not new.duel
        or old.ladybohn is not new.ladybohn
        or old.ladybohn_expansion is not new.ladybohn_expansion
        or before.names != moment.names
    )
    for number, seat in enumerate(new.seats):
        if everybody or old.seats[number] is not seat:
            yield number
