"""A bot that plays like the greedy one, and in agreed turns into the hands of its partners.

A partner is whoever at the table is such a bot. In an agreed turn it makes offers to them by which both gain
together, although it may lose by them: cards that fit, for nothing or cheaper than to others. It accepts such offers,
and refuses those of others that it would accept otherwise. Without a partner, and in the systems without trading, it
is the greedy bot.
"""

import random

from events import commands as c
from events.bots.colluding.agreement import is_agreed, partners, strength_in
from events.bots.colluding.favours import answer_in_collusion, favour_to_offer
from events.bots.greedy.answering import unanswered_offers
from events.bots.greedy.bargains import Bargaining
from events.bots.greedy.greedy_bot import PLAYS, play_by, trade
from events.bots.situation import Bot, Situation


def colluder_named(name: str) -> Bot:
    """The bot of a name such as `colluder-0.5`.

    Raises:
        KeyError: it is not the name of a colluding bot.
    """
    strength = strength_in(name)
    if strength is None:
        raise KeyError(name)
    agreed = strength

    def trade_in_collusion(situation: Situation) -> c.Command | None:
        friends = partners(situation)
        if not friends or not is_agreed(situation, agreed):
            return trade(situation)
        bargaining, unanswered = Bargaining(situation), unanswered_offers(situation)
        chosen = answer_in_collusion(bargaining, unanswered, friends) if unanswered else None
        if chosen is None and not unanswered:
            chosen = favour_to_offer(bargaining, friends)
        return chosen or trade(situation)

    plays = {**PLAYS, "trade": trade_in_collusion}

    def play_in_collusion(situation: Situation, _chance: random.Random) -> c.Command | None:
        return play_by(plays, situation)

    return play_in_collusion
