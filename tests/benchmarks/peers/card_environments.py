"""RLCard (https://rlcard.org) and OpenSpiel (https://openspiel.readthedocs.io): actions per second of processor time.

Run with the peers' Python: `card_environments.py WHAT SECONDS`; prints JSON. Random players play gin rummy to its
end, which is the longest card game with hidden hands that both have. Each action is chosen among the legal ones;
RLCard makes an observation for each, as ours does not here, and OpenSpiel's game is written in C++.
"""

import json
import random
import sys
import time
from collections.abc import Callable


def rlcard_game(seed: int) -> int:
    """Play a random game of RLCard; returns how many actions it took."""
    import rlcard  # noqa: PLC0415 (each peer is measured alone)

    env, chance = rlcard.make("gin-rummy", config={"seed": seed}), random.Random(seed)
    state, _ = env.reset()
    actions = 0
    while not env.is_over():
        state, _ = env.step(chance.choice(list(state["legal_actions"])))
        actions += 1
    return actions


def open_spiel_game(seed: int) -> int:
    """Play a random game of OpenSpiel; returns how many actions of players it took."""
    import pyspiel  # noqa: PLC0415 (likewise)

    state, chance = pyspiel.load_game("gin_rummy").new_initial_state(), random.Random(seed)
    actions = 0
    while not state.is_terminal():
        actions += not state.is_chance_node()
        state.apply_action(chance.choice(state.legal_actions()))
    return actions


GAMES: dict[str, Callable[[int], int]] = {"rlcard": rlcard_game, "open_spiel": open_spiel_game}


def main(what: str, seconds: float) -> None:
    """Play for so many seconds, after one game that does not count."""
    seed = 1
    GAMES[what](seed)
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        seed += 1
        done += GAMES[what](seed)
    print(json.dumps({"rate": done / (time.process_time() - began)}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
