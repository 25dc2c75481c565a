"""Plans of `the-duel`: in which order, and where, everything that lies there is planted best.

Every order is compared, with the card that may be discarded, the harvests that make room, and the bonus cards that
are claimed on the way because their sequence lies on top for a moment.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from events.bots.lookahead.duelling.prospects import Prospects
from events.domain_events import Card
from events.rules.phases.planting import open_fields
from events.rules.table.state import Field

Fields = tuple[Field, ...]
Pool = Literal["revealed", "aside"]


@dataclass(frozen=True, slots=True)
class Step:
    """The first thing to do in a plan: plant a card on a field, harvest that field for it first, or discard it."""

    card: Card
    pool: Pool
    field: int | None
    """None: the card is discarded."""
    harvest: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """A way to plant a card."""

    field: int
    fields: Fields
    """The fields afterwards."""
    earned: int = 0
    harvest: bool = False
    """Whether the field has to be harvested first."""


@dataclass(frozen=True, slots=True)
class Lying:
    """Cards to be planted, each pool in the order of names, and how many revealed ones may be discarded."""

    revealed: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()
    discards: int = 0


def lying_before(prospects: Prospects, seat: int) -> Lying:
    """What lies before a seat now."""
    state = prospects.state
    active = seat == state.active
    revealed = sorted(card for _, card in state.revealed) if active else ()
    may_discard = active and state.duel is not None and not state.duel.discarded
    return Lying(
        tuple(revealed), tuple(sorted(card for _, card in state.seats[seat].aside)), int(may_discard)
    )


def ways_to_plant(prospects: Prospects, fields: Fields, card: Card) -> Iterator[Way]:
    """Every field that takes the card; where none does, every one that may be harvested for it."""
    opened = open_fields(prospects.rules, fields, card)
    for number in opened:
        yield Way(number, _with(fields, number, (*fields[number], card)))
    if opened:
        return
    protected = any(len(field) > 1 for field in fields)
    for number, field in enumerate(fields):
        if len(field) > 1 or not protected:
            earned = prospects.rules.coins_for(field)
            yield Way(number, _with(fields, number, (card,)), earned, harvest=True)


def _with(fields: Fields, number: int, field: Field) -> Fields:
    return (*fields[:number], field, *fields[number + 1 :])


class Plans:
    """Plans of one seat; those that were made once are remembered."""

    def __init__(self, prospects: Prospects, seat: int) -> None:
        """Plan for this seat, by what the one whose prospects they are may see."""
        self._prospects = prospects
        self._own = seat == prospects.seat
        self.fields: Fields = prospects.state.seats[seat].fields
        self._held = prospects.held if self._own else ()
        self._known: dict[tuple[Fields, tuple[Card, ...], Lying], tuple[float, Step | None]] = {}

    def best(self, lying: Lying) -> tuple[float, Step | None]:
        """What the best plan comes to, in coins, and what it begins with; no step where nothing lies there."""
        return self._best(self.fields, self._held, lying)

    def all(self, lying: Lying) -> list[tuple[float, Step]]:
        """What each way to begin with what lies there comes to, in coins; the first of the highest is the best."""
        is_anything = lying.revealed or lying.aside
        return [*self._options(self.fields, self._held, lying)] if is_anything else []

    def ways(self, card: Card, following: tuple[Card, ...]) -> list[tuple[float, Way]]:
        """What planting a hand card in each way comes to, with the best way for one that may follow."""
        return [
            (self._come_to(way, self._held, following), way)
            for way in ways_to_plant(self._prospects, self.fields, card)
        ]

    def _come_to(self, way: Way, held: tuple[Card, ...], following: tuple[Card, ...] = ()) -> float:
        earned, left = self._earn(way, held)
        worths = [self._worth(way.fields, left)]
        for card in following:
            ways = ways_to_plant(self._prospects, way.fields, card)
            worths += [self._come_to(each, left) for each in ways]
        return earned + max(worths)

    def _earn(self, way: Way, held: tuple[Card, ...]) -> tuple[float, tuple[Card, ...]]:
        """What a way to plant earns at once, with bonus cards, and which of those stay in hand."""
        claimed, left = self._prospects.claimed(way.fields, held)
        return way.earned + claimed, left

    def _best(self, fields: Fields, held: tuple[Card, ...], lying: Lying) -> tuple[float, Step | None]:
        found = self._known.get((fields, held, lying))
        if found is None:
            if lying.revealed or lying.aside:
                found = max(self._options(fields, held, lying), key=lambda each: each[0])
            else:
                found = self._worth(fields, held), None
            self._known[fields, held, lying] = found
        return found

    def _worth(self, fields: Fields, held: tuple[Card, ...]) -> float:
        return self._prospects.worth(fields, held) if self._own else self._prospects.worth_to_other(fields)

    def _options(self, fields: Fields, held: tuple[Card, ...], lying: Lying) -> Iterator[tuple[float, Step]]:
        """What can be done first, with what the best plan comes to that begins so."""
        for card, pool, rest in _first_cards(lying):
            for way in ways_to_plant(self._prospects, fields, card):
                earned, left = self._earn(way, held)
                following = self._best(way.fields, left, rest)[0]
                yield earned + following, Step(card, pool, way.field, way.harvest)
            if pool == "revealed" and lying.discards:
                without = Lying(rest.revealed, rest.aside, lying.discards - 1)
                yield self._best(fields, held, without)[0], Step(card, pool, None)


def _first_cards(lying: Lying) -> Iterator[tuple[Card, Pool, Lying]]:
    """Each variety that lies there, with its pool and what is left without one of it."""
    for card in dict.fromkeys(lying.revealed):
        yield card, "revealed", Lying(_without(lying.revealed, card), lying.aside, lying.discards)
    for card in dict.fromkeys(lying.aside):
        yield card, "aside", Lying(lying.revealed, _without(lying.aside, card), lying.discards)


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
