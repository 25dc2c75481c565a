"""Bargains: what a trade would do for a seat, and what it probably does for the other one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from events import commands as c
from events.bots.greedy.evaluation import Growing, growing, valuation_for
from events.bots.greedy.plans import gain_of_planting
from events.bots.situation import Situation, cards_of
from events.bots.systems.ladybohn_expansion.sparing import cost_of_promise, saved_by_promise
from events.domain_events import Card

CLEAR_GAIN = 0.15
"""An own offer has to gain so much."""
TEMPTING = 0.1
"""And the other side should seem to gain so much."""
SPARE_CARD = 0.1
"""What giving away a hand card of unknown place is worth to another player."""


@dataclass(frozen=True, slots=True)
class Bargain:
    """A trade from one seat's side: the hand and revealed cards given, by number, and the cards received."""

    hand: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    gets: tuple[Card, ...] = ()


_NOTHING = Bargain()


class Bargaining:
    """Weighs bargains of one seat in one situation.

    Attributes:
        situation: what the seat knows.
        valuation: what cards are worth there.
        hand: the seat's hand, front first: number to card.
        revealed: the revealed cards: number to card.
    """

    def __init__(self, situation: Situation) -> None:
        """Prepare to weigh bargains in this situation."""
        self.situation = situation
        self.valuation = valuation_for(situation)
        own = situation.own
        self.hand: dict[int, Card] = {each["number"]: each["card"] for each in own["hand"]["cards"]}
        self.revealed: dict[int, Card] = {each["number"]: each["card"] for each in situation.view["revealed"]}
        self._fields = growing(own["fields"])
        self._aside = cards_of(own["aside"])
        self._partners: dict[int, tuple[tuple[Growing, ...], list[Card]]] = {}
        self._growths: dict[tuple[int, tuple[Card, ...]], float] = {}
        self._plans: dict[Bargain, float] = {}

    @property
    def grown(self) -> tuple[Card, ...]:
        """The varieties on the seat's own fields."""
        return tuple(card for card, _ in self._fields if card)

    def cards(self, revealed: Iterable[int]) -> tuple[Card, ...]:
        """The revealed cards with these numbers."""
        return tuple(self.revealed[number] for number in revealed)

    def gain(self, bargain: Bargain) -> float:
        """What the bargain is worth to the seat."""
        return self._plan(bargain) - self._plan(_NOTHING)

    def gain_by(self, partner: int, trade: c.Offer | c.Counter) -> float:
        """What an own offer is worth to the seat when this partner accepts it."""
        gain = self.gain(Bargain(trade.hand, trade.revealed, self._collect_wanted(trade)))
        return gain + self.gain_of_promises(partner, spares=trade.spare, spared=trade.want_spared)

    def tempts(self, partner: int, trade: c.Offer | c.Counter) -> bool:
        """Whether an own offer seems to be worth accepting to this partner."""
        given = (*(self.hand[each] for each in trade.hand), *self.cards(trade.revealed))
        wanted = Counter(trade.want).elements()
        gain = self.gain_of(partner, given, wanted, self.cards(trade.want_revealed))
        return (
            gain + self.gain_of_promises_to(partner, spares=trade.want_spared, spared=trade.spare) >= TEMPTING
        )

    def gain_of(
        self, partner: int, gets: Iterable[Card], gives: Iterable[Card], gives_revealed: Iterable[Card] = ()
    ) -> float:
        """What a trade seems to be worth to a partner whose hand nobody else sees."""
        fields, lying = self._before(partner)
        planted = [*lying, *gets]
        for card in gives_revealed:
            planted.remove(card)
        grown = self._growth(partner, fields, planted) - self._growth(partner, fields, lying)
        return grown + sum(self._estimate_relief(fields, card) for card in gives)

    def gain_of_promises(self, partner: int, *, spares: bool, spared: bool) -> float:
        """What it is worth to the seat to spare a partner with its levy, and to be spared."""
        return _gain_of_promises(self.situation, self.situation.seat, partner, spares=spares, spared=spared)

    def gain_of_promises_to(self, partner: int, *, spares: bool, spared: bool) -> float:
        """What it is worth to a partner to spare the seat with its levy, and to be spared."""
        return _gain_of_promises(self.situation, partner, self.situation.seat, spares=spares, spared=spared)

    def _before(self, partner: int) -> tuple[tuple[Growing, ...], list[Card]]:
        """A partner's fields, and the cards that it has to plant already."""
        if partner not in self._partners:
            seat = self.situation.view["seats"][partner]
            lying = [*cards_of(seat["aside"])]
            if partner == self.situation.view["active"]:
                lying += self.revealed.values()
            self._partners[partner] = growing(seat["fields"]), lying
        return self._partners[partner]

    def _collect_wanted(self, trade: c.Offer | c.Counter) -> tuple[Card, ...]:
        return (*Counter(trade.want).elements(), *self.cards(trade.want_revealed))

    def _growth(self, partner: int, fields: tuple[Growing, ...], planted: Iterable[Card]) -> float:
        """What it seems to be worth to the partner to plant these cards."""
        known = (partner, tuple(sorted(planted)))
        if known not in self._growths:
            self._growths[known] = gain_of_planting(self.valuation, fields, known[1], ())
        return self._growths[known]

    def _estimate_relief(self, fields: tuple[Growing, ...], card: Card) -> float:
        """What it seems to be worth to be rid of a hand card."""
        for grown, beans in fields:
            if grown == card:
                return -self.valuation.growth(card, beans)
        return SPARE_CARD

    def _plan(self, bargain: Bargain) -> float:
        """The gain from planting everything at hand after this bargain."""
        if bargain not in self._plans:
            self._plans[bargain] = self._estimate_planned(bargain)
        return self._plans[bargain]

    def _estimate_planned(self, bargain: Bargain) -> float:
        aside = [*self._aside, *bargain.gets]
        if self.situation.active:
            aside += [card for number, card in self.revealed.items() if number not in bargain.revealed]
        hand = [card for number, card in self.hand.items() if number not in bargain.hand]
        return gain_of_planting(self.valuation, self._fields, aside, hand)


def _gain_of_promises(situation: Situation, seat: int, other: int, *, spares: bool, spared: bool) -> float:
    gain = saved_by_promise(situation, other, seat) if spared else 0.0
    return gain - cost_of_promise(situation, seat, other) if spares else gain
