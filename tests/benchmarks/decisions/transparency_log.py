"""What the log of finished games costs: `python -m tests.benchmarks.decisions.transparency_log`."""

import sys
import time
import tracemalloc
from collections.abc import Callable

from events.transparency.game_head import GameHead
from events.transparency.merkle_tree import MerkleTree

GAMES = 100_000
TRIES = 1000


def grown() -> MerkleTree:
    """A log of many games."""
    tree = MerkleTree()
    for number in range(GAMES):
        tree.append(GameHead(f"game-{number}", 500, f"{number:064x}", "finished").text().encode())
    return tree


def milliseconds(ask: Callable[[int], object]) -> float:
    """How long one answer takes on average."""
    begun = time.perf_counter()
    for number in range(TRIES):
        ask(number)
    return (time.perf_counter() - begun) / TRIES * 1000


def main() -> None:
    """Print the figures."""
    begun = time.perf_counter()
    tree = grown()
    sys.stdout.write(f"append {GAMES / (time.perf_counter() - begun):,.0f} games/s\n")
    sys.stdout.write(f"root {milliseconds(lambda number: tree.root(GAMES - number)):.3f} ms\n")
    sys.stdout.write(
        f"inclusion {milliseconds(lambda number: tree.inclusion_proof(number * 90, GAMES)):.3f} ms\n"
    )
    sys.stdout.write(
        f"consistency {milliseconds(lambda number: tree.consistency_proof(number * 90, GAMES)):.3f} ms\n"
    )
    tracemalloc.start()
    kept = grown()
    sys.stdout.write(f"{tracemalloc.get_traced_memory()[0] / kept.size:.0f} bytes a game\n")


if __name__ == "__main__":
    main()
