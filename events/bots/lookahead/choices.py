"""What is worth thinking about: the greedy bot's command, and what else could be done in its place."""

from typing import Any

from events import commands as c
from events.bots.greedy.answering import unanswered_offers, weigh_acceptances
from events.bots.greedy.bargains import Bargaining
from events.bots.greedy.greedy_bot import PLAYS, play_by
from events.bots.greedy.in_varieties import in_varieties
from events.bots.greedy.manners import may_give, may_trade, must_wait
from events.bots.greedy.offering import gifts, promising, trades
from events.bots.situation import Situation

MOST = 8
"""So many choices are compared at most."""
OFFERS = 4
"""So many own offers, besides the greedy bot's."""
ACCEPTANCES = 2
"""So many ways to accept each offer, the ones that seem to gain most."""
_APART: tuple[type[Any], ...] = (c.Say, c.Offer, c.Counter, c.Withdraw, c.Ready, c.Accept, c.Decline, c.Levy)
"""What is no choice of itself: talk, and all of trading, which is looked at by itself."""


def choices_in(situation: Situation) -> list[c.Command]:
    """The commands to compare, the greedy bot's first; a single one, or none, where there is nothing to think about."""
    greedy = play_by(PLAYS, situation)
    if situation.view["phase"] == "trade":
        return _answers(situation, greedy) if unanswered_offers(situation) else _offers(situation, greedy)
    if not situation.awaited or isinstance(greedy, c.Levy):
        return [] if greedy is None else [greedy]
    found = [] if greedy is None else [greedy]
    for each in situation.legal:
        if isinstance(each, c.Command) and not isinstance(each, _APART) and each not in found:
            found.append(each)
    return found[:MOST]


def _answers(situation: Situation, greedy: c.Command | None) -> list[c.Command]:
    """The greedy bot's answer to the open offers, the best ways to accept each of them, and to decline the first."""
    found = [] if greedy is None else [greedy]
    unanswered = unanswered_offers(situation)
    bargaining = Bargaining(in_varieties(situation))
    ways: list[tuple[float, c.Accept]] = []
    for offer in unanswered_offers(bargaining.situation):
        weighed = [(gain, accept) for gain, _, accept in weigh_acceptances(bargaining, offer)]
        ways += sorted(weighed, key=lambda each: -each[0])[:ACCEPTANCES]
    for _, accept in sorted(ways, key=lambda each: -each[0]):
        if accept not in found:
            found.append(accept)
    decline = c.Decline(unanswered[0]["offer"])
    return [*found[: MOST - 1], *([] if decline in found else [decline])]


def _offers(situation: Situation, greedy: c.Command | None) -> list[c.Command]:
    """In one's own turn: the greedy bot's command, what else promises most to offer, and to end trading."""
    if greedy is None:
        return []
    if not situation.active or isinstance(greedy, c.Harvest):
        return [greedy]
    found = [greedy]
    bargaining = Bargaining(in_varieties(situation))
    if may_trade(situation) or may_give(situation):
        ways = [*promising(bargaining, trades(bargaining)), *promising(bargaining, gifts(bargaining))]
        ways.sort(key=lambda each: -each[0])
        found += [offer for _, offer in ways if offer != greedy][:OFFERS]
    return found if c.EndTrading() in found or must_wait(situation) else [*found, c.EndTrading()]
