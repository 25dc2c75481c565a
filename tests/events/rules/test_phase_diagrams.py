"""The diagrams of the phases are held against play: every transition taken is drawn, and every arrow is taken.

What is rare in a game is made frequent by misfortunes: cards that lie somewhere get lost. No rule asks where a card
was before, so a table after a misfortune is one at which the rules go on as ever.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from events import domain_events as e
from events.game.dealing import dealers_command
from events.game.table import Table
from events.rules.decide import play
from events.rules.definition.rule_system import Rules, RuleSystem
from events.rules.move import DEALER, Move
from events.rules.systems.registry import BY_KEY
from events.rules.table.state import GameState
from tests.events.rules.test_documentation import page
from tests.laws.games import SETUPS, Setup
from tests.support.strategies import Dice, bare_game, next_command, opening

Arrow = tuple[str, str]
"""From one phase to another; `[*]` is between two turns."""
BETWEEN = "[*]"
MOST_GAMES = 400
"""With misfortunes, until every arrow is taken."""
MOST_COMMANDS = 400
"""In one of these: where too much is lost a game may not end."""

every_system = pytest.mark.parametrize("system", BY_KEY.values(), ids=lambda system: system.key)


def drawn(system: RuleSystem) -> set[Arrow]:
    """The arrows of the diagram on the system's page."""
    diagram = page(system).split("stateDiagram")[1].split("```")[0]
    return {(start, end) for start, end in re.findall(r"(\S+) --> ([^\s:]+)", diagram)}


def taken(state: GameState, move: Move) -> Iterator[Arrow]:
    """The transitions of one move from this state."""
    at = state.phase
    for event, after in zip(move.events, move.states, strict=True):
        if isinstance(event, e.TurnBegan | e.GameEnded):
            if at not in ("", BETWEEN):
                yield at, BETWEEN
            at = BETWEEN
        elif isinstance(event, e.PhaseBegan):
            yield at, event.phase
            at = after.phase


def taken_in_games_of(setup: Setup) -> set[Arrow]:
    """The transitions of one random game."""
    begun = opening(setup, setup.players, setup.options, system=setup.system).table
    found, state = set[Arrow](), begun.state
    for move in bare_game(begun, setup):
        found |= {*taken(state, move)}
        state = move.state
    return found


@every_system
def test_every_transition_is_drawn(system: RuleSystem) -> None:
    """Whatever a random game does with its phases is in the picture."""
    setups = [setup for setup in SETUPS if setup.system == system.key]
    found = set[Arrow]().union(*map(taken_in_games_of, setups))
    assert found - drawn(system) == set()


# --- misfortunes -------------------------------------------------------------------------------------------

BARGAINING = {"trade", "offer_gift", "answer_gift", "give"}
"""The phases in which somebody may be bound by the cards in hand."""


def _lose_a_hand(_rules: Rules, state: GameState, dice: Dice) -> GameState:
    """Somebody's hand goes to the discard pile."""
    if state.phase in BARGAINING or state.offers:
        return state
    seat = dice.below(len(state.seats))
    lost = tuple(card for _, card in state.seats[seat].hand)
    seats = tuple(
        replace(each, hand=()) if number == seat else each for number, each in enumerate(state.seats)
    )
    return replace(state, seats=seats, discard_pile=state.discard_pile + lost)


def _lose_what_is_revealed(_rules: Rules, state: GameState, _dice: Dice) -> GameState:
    """What is up for trade goes to the discard pile."""
    if state.phase != "trade" or state.offers:
        return state
    lost = tuple(card for _, card in state.revealed)
    return replace(state, revealed=(), discard_pile=state.discard_pile + lost)


def _lose_the_pile(rules: Rules, state: GameState, _dice: Dice) -> GameState:
    """The draw pile goes to the box and has been exhausted once more."""
    if not state.draw_pile or state.exhaustions + 1 > rules.setup.exhaustions or state.phase in BARGAINING:
        return state
    out = replace(state, draw_pile=(), box=state.box + state.draw_pile)
    return replace(out, exhaustions=state.exhaustions + 1)


def _lose_hand_and_coins(rules: Rules, state: GameState, dice: Dice) -> GameState:
    """Who is to reveal next has neither bean nor coin, and nothing is left to reveal."""
    if state.phase != "reveal" or state.duel is None:
        return state
    bare = replace(state.seats[state.active], hand=(), coins=())
    seats = tuple(bare if number == state.active else each for number, each in enumerate(state.seats))
    return _lose_the_pile(rules, replace(state, seats=seats), dice)


def _lose_all_that_could_be_drawn(_rules: Rules, state: GameState, _dice: Dice) -> GameState:
    """Before everybody draws, hands and piles go to the box."""
    if state.ladybohn_expansion is None or state.phase != "draw":
        return state
    hands = tuple(card for seat in state.seats for _, card in seat.hand)
    lost = state.draw_pile + state.discard_pile + hands
    seats = tuple(replace(seat, hand=()) for seat in state.seats)
    return replace(state, seats=seats, draw_pile=(), discard_pile=(), box=state.box + lost)


def _owe_a_levy(_rules: Rules, state: GameState, _dice: Dice) -> GameState:
    """The active player has make-up beans behind them and takes coins at the end of the turn."""
    if state.ladybohn_expansion is None or state.phase != "draw":
        return state
    return replace(state, ladybohn_expansion=replace(state.ladybohn_expansion, levies=(state.active,)))


MISFORTUNES: tuple[Callable[[Rules, GameState, Dice], GameState], ...] = (
    _lose_a_hand,
    _lose_what_is_revealed,
    _lose_the_pile,
    _lose_hand_and_coins,
    _lose_all_that_could_be_drawn,
    _owe_a_levy,
)


def taken_with_misfortunes(begun: Table, seed: object) -> Iterator[Arrow]:
    """The transitions of a random game in which something is lost now and then."""
    dice, rules, state = Dice(seed), begun.rules, begun.state
    for _ in range(MOST_COMMANDS):
        if state.status != "running":
            return
        if state.due is not None:
            move = play(rules, state, DEALER, dealers_command(rules, state, begun.secret))
        else:
            if dice.chance(10):
                state = dice.pick(MISFORTUNES)(rules, state, dice)
            move = play(rules, state, *next_command(rules, state, dice))
        yield from taken(state, move)
        state = move.state


@every_system
def test_every_arrow_is_taken(system: RuleSystem) -> None:
    """Nothing is drawn that cannot happen."""
    left = drawn(system)
    for number in range(MOST_GAMES):
        seed = f"misfortunes of {system.key} {number}"
        players = system.players[number % len(system.players)]
        found = {*taken_with_misfortunes(opening(seed, players, {}, system=system.key).table, seed)}
        assert found - drawn(system) == set()
        left -= found
        if not left:
            return
    assert left == set()
