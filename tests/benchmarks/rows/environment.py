"""Random play in the environment for research, beside environments that researchers play card games in."""

import random
from collections.abc import Iterable
from itertools import count

from replay.environment.training_game import TrainingGame
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import PLAYERS, SYSTEM
from tests.benchmarks.measuring import SECONDS, Side, compared, rate
from tests.benchmarks.peers.installed import Peers

_ACTIONS = (
    "an action is what an agent decides. Ours is written to a log with a hash chain, so each game is a record that"
    " verifies; RLCard makes an observation for each action, and OpenSpiel's gin rummy is written in C++."
)
_PEERS = (("RLCard", "rlcard", 0.5), ("OpenSpiel", "open_spiel", 0.1))


class Environment:
    """Actions of agents, beside those of gin rummy in RLCard and OpenSpiel."""

    name = "environment"
    about = "random games in the environment for research, beside RLCard and OpenSpiel"

    def __init__(self, seconds: float = SECONDS) -> None:
        """Play for so many seconds a round."""
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        for title, script, goal in _PEERS:
            yield self._beside(title, script, Goal(at_least=goal), rounds, peers)

    def _beside(self, title: str, script: str, goal: Goal, rounds: int, peers: Peers) -> Comparison:
        seeds = count(1)
        return compared(
            f"{self.name}/{script.replace('_', '-')}",
            "actions/s",
            goal=goal,
            ours=Side(
                "agents' actions at random",
                lambda: rate(lambda: played(next(seeds)), self._seconds),
            ),
            beside=Side(
                f"{title} gin rummy at random",
                lambda: peers.rate("card_environments", script, self._seconds),
            ),
            rounds=rounds,
            notes=(_ACTIONS,),
        )


def played(seed: int) -> int:
    """Play a game to its end; returns how many actions it took."""
    chance, game, actions = random.Random(seed), TrainingGame(SYSTEM, PLAYERS, str(seed)), 0
    while game.seat is not None:
        game.act(chance.choice(list(game.commands)))
        actions += 1
    return actions
