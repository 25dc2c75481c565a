"""Random play in the environment for research, beside environments that researchers play card games in."""

import random
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from itertools import count

from replay.environment.training_game import TrainingGame
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import PLAYERS, SYSTEM
from tests.benchmarks.measuring import SECONDS, Measure, Side, compared, rate
from tests.benchmarks.peers.installed import Peers

_ACTIONS = (
    "an action is what an agent decides. Ours is written to a log with a hash chain, so each game is a record that"
    " verifies; RLCard makes an observation for each action, and OpenSpiel's gin rummy is written in C++."
)
_AGENTS = (
    "ours through PettingZoo's interface: an observation and a mask of legal actions for each action, as RLCard makes"
    " them too; ours is written to a log besides, with a hash chain."
)
_NO_AGENTS = (
    "environment/pettingzoo is left out: PettingZoo is not installed; `pip install --require-hashes -r"
    " requirements/research.txt` installs it."
)
_PEERS = (("RLCard", "rlcard", 0.5), ("OpenSpiel", "open_spiel", 0.1))


MOST_ACTIONS = 100_000
"""A game has far fewer; PettingZoo asks for a bound."""


class Environment:
    """Actions of agents, beside those of gin rummy in RLCard and OpenSpiel; also through PettingZoo's interface."""

    name = "environment"
    about = "random games in the environment for research, beside RLCard and OpenSpiel"

    def __init__(self, seconds: float = SECONDS) -> None:
        """Play for so many seconds a round."""
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        seeds, agents = count(1), find_spec("pettingzoo") is not None
        notes = (_ACTIONS,) if agents else (_ACTIONS, _NO_AGENTS)
        actions = Side("agents' actions at random", self._rate(lambda: played(next(seeds))))
        for title, script, goal in _PEERS:
            name = f"{self.name}/{script.replace('_', '-')}"
            peer = self._peer(title, script, peers)
            yield compared(
                name,
                "actions/s",
                goal=Goal(at_least=goal),
                ours=actions,
                beside=peer,
                rounds=rounds,
                notes=notes,
            )
        if not agents:
            return
        yield compared(
            f"{self.name}/pettingzoo",
            "actions/s",
            goal=Goal(at_least=0.1),
            ours=Side(
                "agents' actions at random, with observations",
                self._rate(lambda: played_by_agents(next(seeds))),
            ),
            beside=self._peer("RLCard", "rlcard", peers),
            rounds=rounds,
            notes=(_AGENTS,),
        )

    def _rate(self, play: Callable[[], int]) -> Measure:
        return lambda: rate(play, self._seconds)

    def _peer(self, title: str, script: str, peers: Peers) -> Side:
        return Side(
            f"{title} gin rummy at random", lambda: peers.rate("card_environments", script, self._seconds)
        )


def played_by_agents(seed: int) -> int:
    """Play a game to its end as PettingZoo's agents do; returns how many actions it took."""
    from replay.environment.aec import FieldbookEnvironment  # noqa: PLC0415 (comes with the extra `research`)

    chance, env, actions = random.Random(seed), FieldbookEnvironment(SYSTEM, PLAYERS, seed=seed), 0
    env.reset()
    for _ in env.agent_iter(MOST_ACTIONS):
        observation, _, ended, cut, _ = env.last()
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if ended or cut else int(chance.choice(legal)))
        actions += not (ended or cut)
    return actions


def played(seed: int) -> int:
    """Play a game to its end; returns how many actions it took."""
    chance, game, actions = random.Random(seed), TrainingGame(SYSTEM, PLAYERS, str(seed)), 0
    while game.seat is not None:
        game.act(chance.choice(list(game.commands)))
        actions += 1
    return actions
