"""catanatron (https://docs.catanatron.com): actions per second of processor time in random games, as JSON.

Run with the peers' Python: `catan.py SECONDS`. Four random players play games to their end, as its documentation
shows. Every action counts: dice and ends of turns too. The engine lists all playable actions after each of them.
"""

import json
import sys
import time

from catanatron import Color, Game, RandomPlayer


def played(seed: int) -> int:
    """Play a random game; returns how many actions it took."""
    game = Game([RandomPlayer(color) for color in Color], seed=seed)
    game.play()
    return len(game.state.actions)


def main(seconds: float) -> None:
    """Play for so many seconds, after one game that does not count."""
    seed = 1
    played(seed)
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        seed += 1
        done += played(seed)
    print(json.dumps({"rate": done / (time.process_time() - began)}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
