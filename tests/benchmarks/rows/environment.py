"""Random play in the environment for research, compared with other environments with card games."""

import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count

from replay.environment.training_game import TrainingGame
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared, rate
from tests.benchmarks.games import PLAYERS, SYSTEM

ABOUT = "random games in the environment for research, compared with RLCard and OpenSpiel"
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
Ours = tuple[str, Callable[[int], int], str]
"""A description, a game to measure, and a note."""
MAX_ACTIONS = 100_000
"""A bound that PettingZoo needs; a game has far fewer."""


def run(options: Options) -> Iterator[Comparison]:
    """Measure actions of agents, compared with those of gin rummy; also through PettingZoo's interface."""
    seeds, agents = count(1), find_spec("pettingzoo") is not None

    def row(name: str, peer: str, goal: float, ours: Ours) -> Comparison:
        what, play, note = ours
        title = {"rlcard": "RLCard", "open_spiel": "OpenSpiel"}[peer]
        return compared(
            f"environment/{name}",
            "actions/s",
            goal=Goal(at_least=goal),
            ours=Side(what, lambda: rate(lambda: play(next(seeds)), options.seconds)),
            baseline=Side(f"{title} gin rummy at random", lambda: options.peers.rate(peer, options.seconds)),
            rounds=options.rounds,
            notes=(note,) if agents else (note, _NO_AGENTS),
        )

    actions = ("agents' actions at random", _played, _ACTIONS)
    yield row("rlcard", "rlcard", 0.5, actions)
    yield row("open-spiel", "open_spiel", 0.1, actions)
    if agents:
        what = "agents' actions at random, with observations"
        yield row("pettingzoo", "rlcard", 0.1, (what, _played_by_agents, _AGENTS))


def _played(seed: int) -> int:
    """Play a game to its end; return its number of actions."""
    chance, game, actions = random.Random(seed), TrainingGame(SYSTEM, PLAYERS, str(seed)), 0
    while game.seat is not None:
        game.act(chance.choice(list(game.commands)))
        actions += 1
    return actions


def _played_by_agents(seed: int) -> int:
    from replay.environment.aec import FieldbookEnvironment  # noqa: PLC0415 (comes with the extra `research`)

    chance, env, actions = random.Random(seed), FieldbookEnvironment(SYSTEM, PLAYERS, seed=seed), 0
    env.reset()
    for _ in env.agent_iter(MAX_ACTIONS):
        observation, _, ended, cut, _ = env.last()
        legal = observation["action_mask"].nonzero()[0]
        env.step(None if ended or cut else int(chance.choice(legal)))
        actions += not (ended or cut)
    return actions
