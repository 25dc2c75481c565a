"""A bot sees no more than its seat may: other hidden cards never change what it does."""

import random
from collections.abc import Iterator

import msgspec
import pytest

from events import domain_events as e
from events.bots import choose
from events.bots.memory import BotMemory
from events.game.bot_driver import situation_of
from events.game.table import Table
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from service.simulation.self_play import self_play
from tests.events.bots.games import GREEDY_ONLY, MIXED, RANDOM_ONLY, Seating
from tests.events.bots.situations import moments, moments_of

OTHER_GAMES = (
    ("bean-duel", 2, "greedy"),
    ("the-duel", 2, "greedy"),
    ("the-duel", 2, "random"),
    ("ladybohn", 3, "greedy"),
    ("ladybohn-expansion", 3, "greedy"),
)


def hidden_cards_permuted(state: GameState, seat: int, chance: random.Random) -> GameState:
    """The same table for this seat: the draw pile, the others' hands, unseen coins and bonus cards are mixed up."""
    others = [number for number in range(len(state.seats)) if number != seat]
    unseen = _unseen_coins(state)
    cards = [*state.draw_pile, *(card for number in others for _, card in state.seats[number].hand)]
    cards += [state.seats[number].coins[place] for number, place in unseen]
    chance.shuffle(cards)
    seats = list(state.seats)
    for number in others:
        hand = tuple((each, cards.pop()) for each, _ in state.seats[number].hand)
        seats[number] = msgspec.structs.replace(state.seats[number], hand=hand)
    for number, place in unseen:
        coins = seats[number].coins
        seats[number] = msgspec.structs.replace(
            seats[number], coins=(*coins[:place], cards.pop(), *coins[place + 1 :])
        )
    duel = None if state.duel is None else _bonus_cards_permuted(state.duel, seat, chance)
    return msgspec.structs.replace(state, seats=tuple(seats), draw_pile=tuple(cards), duel=duel)


def _unseen_coins(state: GameState) -> list[tuple[int, int]]:
    """Seat and place of each coin that nobody has seen."""
    if state.ladybohn is not None:
        return [*state.ladybohn.unseen]
    sides = state.duel.seats if state.duel is not None else ()
    return [(number, place) for number, side in enumerate(sides) for place in side.unseen]


def _bonus_cards_permuted(duel: DuelState, seat: int, chance: random.Random) -> DuelState:
    """The bonus pile and the other's bonus cards mixed up."""
    other = duel.seats[1 - seat]
    cards = chance.sample(duel.pile + other.bonus, len(duel.pile) + len(other.bonus))
    held, pile = tuple(cards[: len(other.bonus)]), tuple(cards[len(other.bonus) :])
    seats = tuple(msgspec.structs.replace(each, bonus=held) if each is other else each for each in duel.seats)
    return msgspec.structs.replace(duel, seats=seats, pile=pile)


@pytest.mark.parametrize(
    "seating", (GREEDY_ONLY[:3] + RANDOM_ONLY[:2] + MIXED[:2]), ids=lambda each: str(each[1])
)
def test_hidden_cards_do_not_change_a_choice(seating: Seating) -> None:
    """Whatever the others hold and the pile hides, the same view makes for the same command."""
    assert _differing_tables(moments(seating, every=7), seating[1]) > 100


@pytest.mark.parametrize(("system", "players", "bot"), OTHER_GAMES)
def test_hidden_cards_of_other_games_do_not_change_a_choice(system: str, players: int, bot: str) -> None:
    """Nor do unseen coins, the other's bonus cards, and whether an offered gift is a bluff."""
    end, log = self_play(system, players, (bot,) * players, "hidden", {})
    assert _differing_tables(moments_of(end, log, every=9), "hidden") > 20


def _differing_tables(looked_at: Iterator[tuple[Table, BotMemory]], seed: str) -> int:
    """At how many of these tables other cards could have been hidden: each seat's bot would do the same there."""
    chance = random.Random(seed)
    differed = 0
    for table, memory in looked_at:
        for seat, player in enumerate(table.state.seats):
            other = hidden_cards_permuted(table.state, seat, chance)
            differed += other != table.state
            assert player_view(other, seat) == player_view(table.state, seat)
            assert _choice(table, other, memory, seat, player.bot) == _choice(
                table, table.state, memory, seat, player.bot
            )
    return differed


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


def test_a_swapped_hand_is_remembered_as_everybody_saw_it() -> None:
    """The swap shows all its cards."""
    swapped = e.HandSwapped(1, 0, ("red_male",), ("blue_male",))
    memory = BotMemory().follow([e.TurnBegan(0, 1), swapped])
    assert memory.seen_by(0) == memory.seen_by(1) == (swapped,)


def test_shuffles_and_draws_are_not_remembered() -> None:
    """What the dealer does is nobody's business, not even a bot's."""
    happened = [e.TurnBegan(0, 1), e.PileShuffled("draw", 2, ("blue",)), e.CardsDrawn(1, ("red",))]
    assert BotMemory().follow(happened).turn_events == ()


def _choice(table: Table, state: GameState, memory: BotMemory, seat: int, bot: str) -> object:
    at_table = Table(table.rules, table.secret, table.key, state, table.version, table.hash)
    situation = situation_of(at_table, memory, seat, alone=True)
    return choose(bot, situation, memory.bot_seeds[seat], table.version)
