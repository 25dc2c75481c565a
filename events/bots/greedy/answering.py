"""How the greedy bot answers offers: each exactly once, by accepting, countering or declining."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice, product
from typing import Any

from events import commands as c
from events.bots.greedy.bargains import Bargain, Bargaining
from events.bots.greedy.countering import counter_offer
from events.bots.greedy.manners import may_counter
from events.bots.situation import Situation
from events.rules.definition.forms import AcceptForm, Payment, matches

WORTH_IT = 0.05
"""An offer is accepted when it gains at least so much."""
FAIR_PART = 0.3
"""And at least this part of what the other side seems to gain."""
WAYS_TO_PAY = 24
"""So many choices of cards are compared when an offer can be paid in several ways."""


def unanswered_offers(situation: Situation) -> list[dict[str, Any]]:
    """The open offers, as in the view, that this seat may answer and has not answered yet."""
    return [offer for offer in situation.view["offers"] if _is_open_to(situation, offer)]


def answer(bargaining: Bargaining, unanswered: list[dict[str, Any]]) -> c.Command:
    """Accept the best of these offers, or counter or decline the first."""
    weighed = [
        (gain, accept) for offer in unanswered for gain, accept in _fair_acceptances(bargaining, offer)
    ]
    gain, accept = max(weighed, key=lambda each: each[0], default=(0.0, None))
    if accept is not None and gain >= WORTH_IT:
        return accept
    counter = counter_offer(bargaining, unanswered[0]) if may_counter(bargaining.situation) else None
    return counter or c.Decline(unanswered[0]["offer"])


def _is_open_to(situation: Situation, offer: dict[str, Any]) -> bool:
    """Whether this seat may answer the offer and has not done so."""
    if offer["seat"] == situation.seat or offer["to"] not in (None, situation.seat):
        return False
    countered = any(made.counters == offer["offer"] for made in situation.offers_made)
    return situation.seat not in offer["declined"] and not countered


def weigh_acceptances(
    bargaining: Bargaining, offer: dict[str, Any]
) -> Iterator[tuple[float, float, c.Accept]]:
    """The ways to accept an offer, with what they gain and what the other side seems to gain."""
    given_revealed = bargaining.cards(offer["revealed"])
    wanted = (*Counter(offer["want"]).elements(), *bargaining.cards(offer["want_revealed"]))
    giver = offer["seat"]
    spare, want_spared = offer.get("spare", False), offer.get("want_spared", False)
    theirs = bargaining.gain_of(giver, wanted, offer["hand_cards"], given_revealed)
    theirs += bargaining.gain_of_promises_to(giver, spares=spare, spared=want_spared)
    promises = bargaining.gain_of_promises(giver, spares=want_spared, spared=spare)
    gets = (*offer["hand_cards"], *given_revealed)
    for accept in _ways_to_accept(bargaining.situation, offer["offer"]):
        yield bargaining.gain(Bargain(accept.hand, accept.revealed, gets)) + promises, theirs, accept


def _fair_acceptances(bargaining: Bargaining, offer: dict[str, Any]) -> Iterator[tuple[float, c.Accept]]:
    """The fair ways to accept an offer, with what they gain."""
    for gain, theirs, accept in weigh_acceptances(bargaining, offer):
        if gain >= FAIR_PART * theirs:
            yield gain, accept


def _ways_to_accept(situation: Situation, number: int) -> Iterator[c.Accept]:
    for each in situation.legal:
        if isinstance(each, c.Accept) and each.offer == number:
            yield each
        elif isinstance(each, AcceptForm) and each.offer == number:
            for ways in islice(product(*map(_ways_to_pay, each.payments)), WAYS_TO_PAY):
                hand = tuple(sorted(number for way, _ in ways for number in way))
                revealed = tuple(sorted((*each.revealed, *(number for _, way in ways for number in way))))
                accept = c.Accept(each.offer, hand, revealed)
                if matches(each, accept):
                    yield accept


def _ways_to_pay(payment: Payment) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Hand and revealed cards that pay for one variety, revealed cards first."""
    for revealed in range(min(payment.count, len(payment.revealed)), -1, -1):
        for hand in combinations(payment.hand, payment.count - revealed):
            yield hand, payment.revealed[:revealed]
