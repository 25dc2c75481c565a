"""Random self-play by the bare rules, with all legal commands of whoever acts listed before each command."""

import random
from collections.abc import Iterable

from events.game.dealing import dealers_command
from events.game.table import Table
from events.rules.decide import play
from events.rules.move import DEALER
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import PLAYERS, SYSTEM
from tests.benchmarks.measuring import SECONDS, Measure, Side, compared, rate
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.random_play import begun_table, random_command

_A_MOVE = (
    "a move is what a player decides: a command here (a sixth of them offers, which stand in the list as forms"
    " to fill in; talk is left out), a move of chess, an action of Catan (dice and ends of turns are actions "
    "there). The dealer's shuffles take their time here, and do not count."
)
_BOTH_SIDES = (
    "each side lists everything that is legal for whoever acts, chooses with Python's `random` and makes it, "
    "without any log or hash; ours and catanatron check it again, python-chess does not. Chess is played by "
    "the loop that its documentation shows, which asks `is_game_over` before each move; a loop that sees the "
    "end by its empty list is a fifth faster."
)


class SelfPlay:
    """Commands of players, beside moves of chess and actions of Catan."""

    name = "self-play"
    about = "random games with all legal commands listed, beside python-chess and catanatron"

    def __init__(self, seconds: float = SECONDS) -> None:
        """Play for so many seconds a round."""
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        begun = begun_table("bench-self-play", SYSTEM, PLAYERS)[0]
        peer = {
            "python-chess": lambda: peers.rate("python_chess", "random", self._seconds),
            "catanatron": lambda: peers.rate("catan", self._seconds),
        }
        for name, measure in peer.items():
            yield self._beside(name, measure, begun, rounds)

    def _beside(self, name: str, measure: Measure, begun: Table, rounds: int) -> Comparison:
        chance = random.Random(1)
        return compared(
            f"{self.name}/{name}",
            "moves/s",
            goal=Goal(at_least=1.5),
            ours=Side(
                "players' commands at random",
                lambda: rate(lambda: played(begun, chance), self._seconds),
            ),
            beside=Side(f"{name} random play", measure),
            rounds=rounds,
            notes=(
                _A_MOVE,
                _BOTH_SIDES,
            ),
        )


def played(begun: Table, chance: random.Random) -> int:
    """Play a game that has begun to its end; returns how many commands the players sent."""
    rules, state, commands = begun.rules, begun.state, 0
    while state.status == "running" or state.due is not None:
        if state.due is not None:
            state = play(rules, state, DEALER, dealers_command(rules, state, begun.secret)).state
        else:
            state = play(rules, state, *random_command(rules, state, chance)).state
            commands += 1
    return commands
