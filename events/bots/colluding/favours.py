"""What a colluding bot offers its partner, and how it answers: by what both have of it together."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from events import commands as c
from events.bots.greedy.answering import WORTH_IT, weigh_acceptances
from events.bots.greedy.bargains import TEMPTING, Bargaining
from events.bots.greedy.offering import gifts, terms, terms_made, trades
from events.bots.situation import Situation
from events.rules.definition.forms import OfferForm, matches

CONCESSION: Final = 0.8
"""A favour may cost so much, in coins."""
FAVOURS_IN_A_TURN: Final = 3
"""So many offers a seat makes to its partners in a turn."""
WORTH_BETRAYING: Final = 1.0
"""An offer of somebody else is accepted in an agreed turn only when it gains so much."""


def favour_to_offer(bargaining: Bargaining, partners: Sequence[int]) -> c.Offer | None:
    """The offer to a partner of which both have most together: a gift, or a price that nobody else would get."""
    situation = bargaining.situation
    forms = [each for each in situation.legal if isinstance(each, OfferForm)]
    made = {terms_made(each) for each in situation.offers_made}
    if sum(each.to in partners for each in situation.offers_made) >= FAVOURS_IN_A_TURN:
        return None
    best, most = None, 0.0
    for offer in _favours(bargaining, partners):
        if terms(bargaining, offer) in made or not any(matches(form, offer) for form in forms):
            continue
        value = _value(bargaining, offer)
        if value > most:
            best, most = offer, value
    return best


def answer_in_collusion(
    bargaining: Bargaining, unanswered: Sequence[dict[str, Any]], partners: Sequence[int]
) -> c.Command | None:
    """Accept what a partner offers, where both together gain; decline what others offer, unless it is very good.

    None where only offers of partners are open of which nothing can be had: they are answered as any others.
    """
    ways: list[tuple[float, c.Accept]] = []
    for offer in unanswered:
        for gain, theirs, accept in weigh_acceptances(bargaining, offer):
            if offer["seat"] in partners:
                if gain >= -CONCESSION and gain + max(0.0, theirs) >= WORTH_IT:
                    ways.append((gain + theirs + WORTH_BETRAYING, accept))
            elif gain >= WORTH_BETRAYING:
                ways.append((gain, accept))
    if ways:
        return max(ways, key=lambda each: each[0])[1]
    refused = next((offer for offer in unanswered if offer["seat"] not in partners), None)
    return None if refused is None else c.Decline(refused["offer"])


def _favours(bargaining: Bargaining, partners: Sequence[int]) -> Iterator[c.Offer]:
    situation = bargaining.situation
    if situation.active:
        for partner in partners:
            for offer in (*gifts(bargaining), *trades(bargaining)):
                yield replace(offer, to=partner)
    elif situation.view["active"] in partners:
        for number in bargaining.hand:
            yield c.Offer(to=_active(situation), hand=(number,))


def _value(bargaining: Bargaining, offer: c.Offer) -> float:
    """What both gain by an offer; nothing where it tempts the partner too little or costs too much."""
    partner = offer.to
    if partner is None:
        return 0.0
    given = (*(bargaining.hand[each] for each in offer.hand), *bargaining.cards(offer.revealed))
    theirs = bargaining.gain_of(partner, given, Counter(offer.want).elements())
    own = bargaining.gain_by(partner, offer)
    return own + theirs if theirs >= TEMPTING and own >= -CONCESSION else 0.0


def _active(situation: Situation) -> int:
    return int(situation.view["active"])
