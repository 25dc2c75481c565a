"""What is worth thinking about: the greedy bot's command, and what else could be done in its place.

Own offers are the greedy bot's: what becomes of one depends on answers that nobody can play in thought well enough.
"""

from typing import Any

from events import commands as c
from events.bots.greedy.answering import unanswered_offers, weigh_acceptances
from events.bots.greedy.bargains import Bargaining
from events.bots.greedy.greedy_bot import PLAYS, play_by
from events.bots.greedy.in_varieties import in_varieties
from events.bots.situation import Situation

MOST = 8
"""So many choices are compared at most."""
ACCEPTANCES = 2
"""So many ways to accept each offer, the ones that seem to gain most."""
_APART: tuple[type[Any], ...] = (c.Say, c.Offer, c.Counter, c.Withdraw, c.Ready, c.Accept, c.Decline, c.Levy)
"""What is no choice of itself: talk, and all of trading, which is looked at by itself."""


def choices_in(situation: Situation) -> list[c.Command]:
    """The commands to compare, the greedy bot's first; at most one where there is nothing to think about."""
    greedy = play_by(PLAYS, situation)
    if situation.view["phase"] == "trade":
        return _answers(situation, greedy)
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
    if not unanswered:
        return found
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
