"""The greedy bot's counter-offers: the same cards for another payment, or one revealed card more."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from events import commands as c
from events.bots.greedy.bargains import CLEAR_GAIN, Bargaining
from events.rules.definition.forms import CounterForm, matches


def counter_offer(bargaining: Bargaining, offer: dict[str, Any]) -> c.Counter | None:
    """The best counter-offer that the other side might like, or None."""
    forms = [each for each in bargaining.situation.legal if isinstance(each, CounterForm)]
    best, most = None, CLEAR_GAIN
    for counter in _counters(bargaining, offer):
        if not bargaining.tempts(offer["seat"], counter):
            continue
        gain = bargaining.gain_by(offer["seat"], counter)
        if gain > most and any(matches(form, counter) for form in forms):
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
