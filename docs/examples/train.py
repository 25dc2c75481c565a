"""Train a linear policy by the cross-entropy method, and measure it against random bots with an interval of 95 %.

Start it with `python docs/examples/train.py` in an environment with `fieldbook[research]`. It knows nothing of the
game but what kind each action is of, and what a field pays that is harvested or would be planted on.
"""

import argparse
import sys
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from replay.across.intervals import wilson
from replay.environment.aec import FieldbookEnvironment

Weights = npt.NDArray[np.float64]
Policy = Callable[[FieldbookEnvironment, npt.NDArray[np.int64], npt.NDArray[np.int16]], int]
BEST = 0.25
"""This part of each generation decides where the next one is looked for."""


def features_of(env: FieldbookEnvironment) -> tuple[Weights, dict[str, int]]:
    """One row for each action, with a one for its kind; room for two figures of its field at the end."""
    kinds = {
        kind: place for place, kind in enumerate(dict.fromkeys(str(each[0]) for each in env.game.actions))
    }
    rows = np.zeros((len(env.game.actions), len(kinds) + 2))
    for number, action in enumerate(env.game.actions):
        rows[number, kinds[str(action[0])]] = 1.0
    return rows, kinds


def linear(env: FieldbookEnvironment, weights: Weights) -> Policy:
    """The policy that takes the legal action of which the weighted features add up to most."""
    rows, _ = features_of(env)
    fields = {
        number: int(action[-1])
        for number, action in enumerate(env.game.actions)
        if action[0] in ("harvest", "plant", "plant_aside", "plant_revealed")
    }

    def choose(env: FieldbookEnvironment, legal: npt.NDArray[np.int64], seen: npt.NDArray[np.int16]) -> int:
        own = env.observing.own_fields
        for number in legal:
            if (field := fields.get(int(number))) is not None:
                beans, coins = seen[own + 3 * field + 1 : own + 3 * field + 3]
                rows[number, -2:] = (coins, 0) if env.game.actions[number][0] == "harvest" else (0, beans)
        return int(legal[np.argmax(rows[legal] @ weights)])

    return choose


def play(env: FieldbookEnvironment, policy: Policy, seed: int) -> float:
    """Play a game; returns the reward of the only agent."""
    env.reset(seed=seed)
    while env.game.seat is not None:
        observation = env.observe(env.agent_selection)
        legal = np.flatnonzero(observation["action_mask"])
        env.step(policy(env, legal, observation["observation"]))
    return float(env.rewards[env.possible_agents[0]])


def train(env: FieldbookEnvironment, generations: int, candidates: int, games: int, seed: int) -> Weights:
    """Look for weights: sample around the mean of the best, play, and move on."""
    chance = np.random.default_rng(seed)
    size = features_of(env)[0].shape[1]
    mean, spread = np.zeros(size), np.ones(size)
    for generation in range(generations):
        sampled = mean + spread * chance.normal(size=(candidates, size))
        deals = [generation * games + game for game in range(games)]
        rewards = np.array(
            [np.mean([play(env, linear(env, weights), deal) for deal in deals]) for weights in sampled]
        )
        best = sampled[np.argsort(-rewards)[: max(2, int(BEST * candidates))]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        sys.stdout.write(
            f"generation {generation + 1}: {rewards.mean():+.2f} coins, the best {rewards.max():+.2f}\n"
        )
    return mean


def main() -> None:
    """Train against a random bot, then play games that were not trained on."""
    options = argparse.ArgumentParser(description="Train a linear policy against random bots.")
    options.add_argument("--system", default="bean-duel")
    options.add_argument("--players", type=int, default=2)
    options.add_argument("--generations", type=int, default=6)
    options.add_argument("--candidates", type=int, default=16)
    options.add_argument("--games", type=int, default=4)
    options.add_argument("--trials", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--record", type=Path, default=None, help="where the last game's record is written")
    given = options.parse_args()
    bots = dict.fromkeys(range(1, given.players), "random")
    env = FieldbookEnvironment(given.system, given.players, bots=bots)
    weights = train(env, given.generations, given.candidates, given.games, given.seed)
    rewards = np.array([play(env, linear(env, weights), 1_000_000 + trial) for trial in range(given.trials)])
    low, high = wilson(int((rewards > 0).sum()), given.trials)
    error = 1.96 * rewards.std(ddof=1) / sqrt(given.trials)
    sys.stdout.write(
        f"won {(rewards > 0).mean():.1%} of {given.trials} games, 95 % interval {low:.1%} to {high:.1%}\n"
    )
    sys.stdout.write(f"ahead by {rewards.mean():.2f} coins, give or take {error:.2f}\n")
    if given.record is not None:
        env.write_record(given.record)


if __name__ == "__main__":
    main()
