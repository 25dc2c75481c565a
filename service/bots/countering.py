"""The greedy bot's counter-offers: the same cards for another payment, or with another revealed card on top."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from events import commands as c
from events.rules.forms import CounterForm, matches
from service.bots.bargains import Bargain, Bargaining

CLEAR_GAIN = 0.15
"""A counter-offer has to gain so much."""
TEMPTING = 0.1
"""And the other side should seem to gain so much."""


def counter_offer(bargaining: Bargaining, offer: dict[str, Any]) -> c.Counter | None:
    """The best counter-offer that the other side might like, or None."""
    forms = [each for each in bargaining.situation.legal if isinstance(each, CounterForm)]
    best, most = None, CLEAR_GAIN
    for counter in _counters(bargaining, offer):
        gain, theirs = _gains(bargaining, offer["seat"], counter)
        if gain > most and theirs >= TEMPTING and any(matches(form, counter) for form in forms):
            best, most = counter, gain
    return best


def _counters(bargaining: Bargaining, offer: dict[str, Any]) -> Iterator[c.Counter]:
    """The cards offered, and one revealed card more, for nothing or any one card."""
    number, want = offer["offer"], dict(Counter(offer["hand_cards"]))
    active = bargaining.situation.active
    more = () if active else tuple(each for each in bargaining.revealed if each not in offer["revealed"])
    payments: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    asked = {*want, *bargaining.cards(offer["revealed"])}
    payments += [((each,), ()) for each, card in bargaining.hand.items() if card not in asked]
    if active:
        payments += [((), (each,)) for each, card in bargaining.revealed.items() if card not in asked]
    for hand, revealed in payments:
        for extra in ((), *((each,) for each in more)):
            want_revealed = tuple(sorted((*offer["revealed"], *extra)))
            if want or want_revealed:
                yield c.Counter(number, hand, revealed, want, want_revealed)


def _gains(bargaining: Bargaining, partner: int, counter: c.Counter) -> tuple[float, float]:
    """What the counter-offer would gain this seat, and seems to gain the other."""
    wanted = tuple(Counter(counter.want).elements())
    wanted_revealed = bargaining.cards(counter.want_revealed)
    given = (*(bargaining.hand[each] for each in counter.hand), *bargaining.cards(counter.revealed))
    gain = bargaining.gain(Bargain(counter.hand, counter.revealed, wanted + wanted_revealed))
    return gain, bargaining.gain_of(partner, given, wanted, wanted_revealed)
