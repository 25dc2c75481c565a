"""A bot that looks ahead: it tries its choices on tables that could be this one, and says why it chose."""

import random
from contextlib import suppress

from events import commands as c
from events.bots.lookahead.choices import choices_in
from events.bots.lookahead.dealing_out import DoesNotAddUp
from events.bots.lookahead.duelling.shrewd_play import Planned, plans_from
from events.bots.lookahead.search import BUDGET, Considered, best_of, consider
from events.bots.situation import Situation


def look_ahead(situation: Situation, chance: random.Random) -> c.Command | None:
    """The choice that leads furthest, as far as can be told."""
    considered = think(situation, chance)
    return best_of(considered).command if considered else None


def weigh_plans(situation: Situation) -> list[Planned]:
    """In `the-duel` what can be planted, the best first, with what the best plan comes to that begins with it.

    None elsewhere, and where nothing is planned. The first one is done, unless a harvest is thought about.
    """
    table = situation.table
    return plans_from(situation, table) if table is not None and table.duel is not None else []


def think(situation: Situation, chance: random.Random, budget: int = BUDGET) -> list[Considered]:
    """The choices with what came of each, the greedy bot's first; a single one was not thought about.

    The same situation and chance give the same thoughts.
    """
    choices = choices_in(situation)
    if len(choices) > 1 and situation.table is not None:
        with suppress(DoesNotAddUp):
            return consider(situation, situation.table, choices, chance, budget)
    return [Considered(each) for each in choices[:1]]
