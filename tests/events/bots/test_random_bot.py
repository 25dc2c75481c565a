"""How long the random bot leaves people time; what else it does is anything legal (tests/events/bots/games.py)."""

import random

from events import commands as c
from events import domain_events as e
from events.bots.memory import BotMemory
from events.bots.random_bot import play_at_random
from events.bots.situation import Situation
from events.game.bot_driver import expected_seats
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import OpenOffer
from tests.events.bots.situations import bot_seat, table_of


def choices(memory: BotMemory, *offers: OpenOffer) -> list[c.Command | None]:
    """What it does on seat 0 of one table of people, with many seeds."""
    rules, state = table_of(bot_seat(), revealed=("blue",), offers=offers)
    situation = Situation(
        rules=rules,
        seat=0,
        view=player_view(state, 0),
        legal=legal_commands(rules, state, 0),
        offers_made=memory.offers_by(0),
        turn_events=memory.seen_by(0),
        alone=False,
        expected=expected_seats(state),
    )
    return [play_at_random(situation, random.Random(seed)) for seed in range(40)]


def test_it_goes_on_at_once_when_everybody_has_answered() -> None:
    """An offer that all people have declined is not waited for; while one may still answer it sometimes is."""
    memory = BotMemory().follow([e.TurnBegan(0, 1), e.OfferMade(1, 0, None, revealed=(1,))])
    assert None not in choices(memory, OpenOffer(1, 0, None, revealed=(1,), declined=(1, 2)))
    assert None in choices(memory, OpenOffer(1, 0, None, revealed=(1,), declined=(1,)))


def test_without_an_offer_of_its_own_it_leaves_people_time() -> None:
    """Somebody may want to ask for the card that lies there."""
    assert None in choices(BotMemory())
