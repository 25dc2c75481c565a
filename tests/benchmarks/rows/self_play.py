"""Random self-play by the bare rules, with all legal commands of the acting seat listed before each command."""

import random
from collections.abc import Iterator
from functools import partial

from events.game.dealing import dealers_command
from events.game.table import Table
from events.rules.decide import play
from events.rules.move import DEALER
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared, rate
from tests.benchmarks.games import PLAYERS, SYSTEM, random_command, start_table

ABOUT = "random games with all legal commands listed, compared with python-chess and catanatron"
_A_MOVE = (
    "a move is what a player decides: a command here (a sixth of them offers, which are listed as forms to fill "
    "in; talk is left out), a move of chess, an action of Catan (dice and ends of turns are actions there). The "
    "dealer's shuffles take their time here, and do not count."
)
_BOTH_SIDES = (
    "each side lists everything legal, chooses with Python's `random` and makes it, without any log or hash; ours "
    "and catanatron check it again, python-chess does not. Chess is played by the loop that its documentation "
    "shows, which asks `is_game_over` before each move; a loop that sees the end by its empty list is a fifth "
    "faster."
)


def run(options: Options) -> Iterator[Comparison]:
    """Measure commands of players, compared with moves of chess and actions of Catan."""
    begun, seconds = start_table("bench-self-play", SYSTEM, PLAYERS)[0], options.seconds
    for name, peer in (("python-chess", "random_chess"), ("catanatron", "catanatron")):
        yield compared(
            f"self-play/{name}",
            "moves/s",
            goal=Goal(at_least=1.5),
            ours=Side(
                "players' commands at random",
                partial(rate, partial(_played, begun, random.Random(1)), seconds),
            ),
            baseline=Side(f"{name} random play", partial(options.peers.rate, peer, seconds)),
            rounds=options.rounds,
            notes=(_A_MOVE, _BOTH_SIDES),
        )


def _played(begun: Table, chance: random.Random) -> int:
    """Play a game that has begun to its end; return the number of players' commands."""
    rules, state, commands = begun.rules, begun.state, 0
    while state.status == "running" or state.due is not None:
        if state.due is not None:
            state = play(rules, state, DEALER, dealers_command(rules, state, begun.secret)).state
        else:
            state = play(rules, state, *random_command(rules, state, chance)).state
            commands += 1
    return commands
