"""Which gift is offered in `the-duel`, and which is taken: by what plans come to with the bean and without it."""

from collections.abc import Iterable
from dataclasses import replace

from events import commands as c
from events.bots.lookahead.duelling.plans import Lying, Plans, lying_before
from events.bots.lookahead.duelling.prospects import Prospects
from events.bots.systems.the_duel.gifts import BLUFF_CALLED, IN_HAND, REFUSED, TAKES_IT, likely_real
from events.domain_events import Card

DARED = 0.3
"""A bluff is thought to be taken at least so often."""


class Gifts:
    """Weighs gifts at one table for the seat whose prospects they are."""

    def __init__(self, prospects: Prospects) -> None:
        """Weigh gifts with these prospects."""
        self._prospects = prospects
        self._plans = {seat: Plans(prospects, seat) for seat in range(len(prospects.state.seats))}

    def offer(self) -> c.Command | None:
        """Push the first gift card: the one that promises most."""
        legal = self._prospects.situation.legal
        return self._best([each for each in legal if isinstance(each, c.OfferGift)])[1]

    def answer(self, offered: Card) -> c.Command:
        """Accept what is worth more than the best gift to offer in return, be it a bluff."""
        real = likely_real(self._prospects.situation, offered)
        accepted = real * self._gain(self._prospects.seat, offered) + (1 - real) * BLUFF_CALLED
        legal = self._prospects.situation.legal
        promised, counter = self._best([each for each in legal if isinstance(each, c.CounterGift)])
        return c.AcceptGift() if counter is None or accepted >= promised else counter

    def _best(self, pushes: Iterable[c.OfferGift | c.CounterGift]) -> tuple[float, c.Command | None]:
        weighed = [(self._promise(each.variety), each) for each in pushes]
        return max(weighed, key=lambda each: each[0], default=(0.0, None))

    def _promise(self, variety: Card) -> float:
        """What pushing a gift card promises, by how likely it is accepted."""
        theirs = self._gain(1 - self._prospects.seat, variety)
        taken = min(1.0, max(0.0, theirs + TAKES_IT))
        kept = self._value_of_keeping(variety)
        if kept is None:
            taken = max(taken, DARED)
            return -taken * BLUFF_CALLED + (1 - taken) * REFUSED
        return taken * (-theirs - kept) + (1 - taken) * REFUSED

    def _value_of_keeping(self, variety: Card) -> float | None:
        """What the bean that would be given away is worth to the seat; None where there is none: a bluff."""
        seat, state = self._prospects.seat, self._prospects.state
        lying = lying_before(self._prospects, seat)
        if variety in lying.revealed:
            place = lying.revealed.index(variety)
            left = lying.revealed[:place] + lying.revealed[place + 1 :]
            return self._come_to(seat, lying) - self._come_to(seat, replace(lying, revealed=left))
        if any(card == variety for _, card in state.seats[seat].hand):
            return IN_HAND * self._gain(seat, variety)
        return None

    def _gain(self, seat: int, variety: Card) -> float:
        """What one such bean more is worth to a seat."""
        lying = lying_before(self._prospects, seat)
        more = replace(lying, aside=tuple(sorted((*lying.aside, variety))))
        return self._come_to(seat, more) - self._come_to(seat, lying)

    def _come_to(self, seat: int, lying: Lying) -> float:
        return self._plans[seat].best(lying)[0]
