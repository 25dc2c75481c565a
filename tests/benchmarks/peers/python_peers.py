"""Peers for Python, each used as its own documentation shows. Run with the peers' Python, and without our packages.

`python_peers.py PEER SECONDS` repeats the peer's work for these seconds of processor time, after once that does not
count, and prints how much is done per second:

- `push_uci`, `random_chess`: moves of python-chess (https://python-chess.readthedocs.io) that are read from text,
  checked and made; or chosen from all legal moves and made, until the game is over. The games are random ones.
- `catanatron`: actions of random games of four (https://docs.catanatron.com), dice and ends of turns included.
- `rlcard`, `open_spiel`: actions of random games of gin rummy (https://rlcard.org, https://openspiel.readthedocs.io),
  the longest card game with hidden hands that both have.
"""

import random
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

GAMES = 20
Work = Callable[[], int]
"""Does some work, and returns how much."""
CHANCE = random.Random(1)
SEEDS = count(1)


def _random_chess() -> list[Any]:
    import chess

    board = chess.Board()
    while not board.is_game_over():
        board.push(CHANCE.choice(list(board.legal_moves)))
    return list(board.move_stack)


def _push_uci() -> Work:
    import chess

    texts = [[move.uci() for move in _random_chess()] for _ in range(GAMES)]

    def make() -> int:
        for moves in texts:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
        return sum(map(len, texts))

    return make


def _catanatron() -> int:
    from catanatron import Color, Game, RandomPlayer

    game = Game([RandomPlayer(color) for color in Color], seed=next(SEEDS))
    game.play()
    return len(game.state.actions)


def _rlcard() -> int:
    import rlcard

    env, actions = rlcard.make("gin-rummy", config={"seed": next(SEEDS)}), 0
    state, _ = env.reset()
    while not env.is_over():
        state, _ = env.step(CHANCE.choice(list(state["legal_actions"])))
        actions += 1
    return actions


def _open_spiel() -> int:
    import pyspiel

    state, actions = pyspiel.load_game("gin_rummy").new_initial_state(), 0
    while not state.is_terminal():
        actions += not state.is_chance_node()
        state.apply_action(CHANCE.choice(state.legal_actions()))
    return actions


def main(peer: str, seconds: float) -> None:
    """Repeat a peer's work, and print its rate."""
    work: Work = {
        "push_uci": _push_uci,
        "random_chess": lambda: lambda: len(_random_chess()),
        "catanatron": lambda: _catanatron,
        "rlcard": lambda: _rlcard,
        "open_spiel": lambda: _open_spiel,
    }[peer]()
    work()
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        done += work()
    print(done / (time.process_time() - began))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
