"""Colluding bots, for measuring what finds colluders: `colluder-STRENGTH`, such as `colluder-0.25`.

A colluding bot plays like the greedy bot. In agreed turns it favours its partners: the other colluding bots at the
table. The strength is the probability of a turn to be agreed, from 0 to 1. In an agreed turn it

- offers partners cards that fit, for nothing or cheaper than to others, even at a small loss;
- accepts a partner's offer wherever both together gain;
- declines offers of others that do not gain a whole coin.

Agreed turns follow from the game's commitment and the number of the turn, so partners need no communication.
Without a partner, and in systems without trading, it is the greedy bot. No service knows these bots:

    python -m tests.benchmarks.colluding_bots simulate --players 3 --pool 4 --bots colluder-1,colluder-1,greedy ...

runs the `fieldbook` command line with the colluding bots that its arguments name.
"""

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

from msgspec.structs import replace

from events import commands as c
from events.bots import BOTS
from events.bots.greedy.answering import WORTH_IT, unanswered_offers, weigh_acceptances
from events.bots.greedy.bargains import TEMPTING, Bargaining
from events.bots.greedy.greedy_bot import PLAYS, play_by, trade
from events.bots.greedy.offering import gifts, terms, terms_made, trades
from events.bots.situation import Bot, Situation
from events.rules.definition.forms import OfferForm, matches
from service.command_line import main

NAME: Final = re.compile(r"\bcolluder-(0|1|0\.[0-9]{1,2})(?![0-9.])")
CONCESSION: Final = 0.8
"""The largest loss that a favour may cost, in coins."""
FAVOURS_IN_A_TURN: Final = 3
"""The most offers that a seat makes to its partners in a turn."""
WORTH_BETRAYING: Final = 1.0
"""The least gain that makes a bot accept another player's offer in an agreed turn, in coins."""
_SCALE: Final = 1 << 64


@contextmanager
def colluding_bots(names: Iterable[str]) -> Iterator[None]:
    """Add the colluding bots among these names to the known bots, in this process and for this block.

    >>> with colluding_bots(["greedy", "colluder-0.25"]):
    ...     "colluder-0.25" in BOTS
    True
    >>> "colluder-0.25" in BOTS
    False
    """
    known, added = cast("dict[str, Bot]", BOTS), [name for name in {*names} if NAME.fullmatch(name)]
    known.update({name: colluding_bot(name) for name in added})
    try:
        yield
    finally:
        for name in added:
            del known[name]


def colluding_bot(name: str) -> Bot:
    """Return the bot of a name such as `colluder-0.5`.

    Raises:
        ValueError: it is not the name of a colluding bot.
    """
    found = NAME.fullmatch(name)
    if found is None:
        raise ValueError(
            f"{name!r} is not a colluding bot; expected colluder-STRENGTH, such as colluder-0.5."
        )
    strength = float(found[1])

    def trade_in_collusion(situation: Situation) -> c.Command | None:
        friends = partners(situation)
        if not friends or not is_agreed(situation, strength):
            return trade(situation)
        bargaining, unanswered = Bargaining(situation), unanswered_offers(situation)
        chosen = answer_in_collusion(bargaining, unanswered, friends) if unanswered else None
        if chosen is None and not unanswered:
            chosen = favour_to_offer(bargaining, friends)
        return chosen or trade(situation)

    plays = {**PLAYS, "trade": trade_in_collusion}
    return lambda situation, _chance: play_by(plays, situation)


def partners(situation: Situation) -> tuple[int, ...]:
    """Return the other seats with a colluding bot, of any strength."""
    return tuple(
        seat["seat"]
        for seat in situation.view["seats"]
        if seat["seat"] != situation.seat and NAME.fullmatch(seat["bot"] or "")
    )


def is_agreed(situation: Situation, strength: float) -> bool:
    """Return whether the partners favour each other in this turn."""
    view = situation.view
    drawn = hashlib.sha256(f"collude/{view['commitment']}/{view['turn']}".encode()).digest()[:8]
    return int.from_bytes(drawn) < strength * _SCALE


def favour_to_offer(bargaining: Bargaining, partners: Sequence[int]) -> c.Offer | None:
    """Return the offer to a partner with the largest joint gain: a gift, or a price that others would not get."""
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
    """Accept a partner's offer if both together gain; decline offers of others unless they gain much.

    Return None if only offers of partners are open and none is worth accepting: these are answered as any others.
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
    """Return the joint gain of an offer; 0 if it tempts the partner too little or costs too much."""
    partner = offer.to
    if partner is None:
        return 0.0
    given = (*(bargaining.hand[each] for each in offer.hand), *bargaining.cards(offer.revealed))
    theirs = bargaining.gain_of(partner, given, Counter(offer.want).elements())
    own = bargaining.gain_by(partner, offer)
    return own + theirs if theirs >= TEMPTING and own >= -CONCESSION else 0.0


def _active(situation: Situation) -> int:
    return int(situation.view["active"])


if __name__ == "__main__":
    with colluding_bots(match[0] for match in NAME.finditer(" ".join(sys.argv))):
        main(prog_name="python -m tests.benchmarks.colluding_bots")
