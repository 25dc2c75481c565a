"""A bot sees no more than its seat may: other hidden cards never change what it does."""

import random

import msgspec
import pytest

from events import domain_events as e
from events.rules.player_view import player_view
from events.rules.state import GameState
from events.table import Table
from service.bots import choose
from service.bots.driver import situation_of
from service.bots.memory import BotMemory
from tests.bots.games import GREEDY_ONLY, MIXED, RANDOM_ONLY, Seating
from tests.bots.situations import moments


def _hidden_cards_permuted(state: GameState, seat: int, chance: random.Random) -> GameState:
    """The same table for this seat, with the draw pile and the others' hands mixed up."""
    others = [number for number in range(len(state.seats)) if number != seat]
    cards = [*state.draw_pile, *(card for number in others for _, card in state.seats[number].hand)]
    chance.shuffle(cards)
    seats = list(state.seats)
    for number in others:
        hand = tuple((each, cards.pop()) for each, _ in state.seats[number].hand)
        seats[number] = msgspec.structs.replace(state.seats[number], hand=hand)
    return msgspec.structs.replace(state, seats=tuple(seats), draw_pile=tuple(cards))


@pytest.mark.parametrize(
    "seating", (GREEDY_ONLY[:3] + RANDOM_ONLY[:2] + MIXED[:2]), ids=lambda each: str(each[1])
)
def test_hidden_cards_do_not_change_a_choice(seating: Seating) -> None:
    """Whatever the others hold and the pile hides, the same view makes for the same command."""
    chance = random.Random(seating[1])
    differed = 0
    for table, memory in moments(seating, every=7):
        for seat, player in enumerate(table.state.seats):
            other = _hidden_cards_permuted(table.state, seat, chance)
            differed += other != table.state
            assert player_view(other, seat) == player_view(table.state, seat)
            assert _choice(table, other, memory, seat, player.bot) == _choice(
                table, table.state, memory, seat, player.bot
            )
    assert differed > 100


def test_the_numbers_of_others_hand_cards_are_not_remembered_for_a_seat() -> None:
    """Of an offer or a trade a bot knows the cards, and the hand numbers of its own only."""
    made = e.OfferMade(1, 0, None, (4,), ("blue",))
    traded = e.TradeMade(1, 0, 1, ("blue",), ("red",), active_hand=(4,), partner_hand=(2,))
    memory = BotMemory().follow([e.TurnBegan(0, 1), made, traded])
    assert memory.seen_by(0) == (made, msgspec.structs.replace(traded, partner_hand=()))
    assert memory.seen_by(1) == (
        msgspec.structs.replace(made, hand=()),
        msgspec.structs.replace(traded, active_hand=()),
    )


def test_shuffles_and_draws_are_not_remembered() -> None:
    """What the dealer does is nobody's business, not even a bot's."""
    happened = [e.TurnBegan(0, 1), e.PileShuffled("draw", 2, ("blue",)), e.CardsDrawn(1, ("red",))]
    assert BotMemory().follow(happened).turn_events == ()


def _choice(table: Table, state: GameState, memory: BotMemory, seat: int, bot: str) -> object:
    at_table = Table(table.rules, table.secret, table.key, state, table.version, table.hash)
    situation = situation_of(at_table, memory, seat, alone=True)
    return choose(bot, situation, memory.bot_seeds[seat], table.version)
