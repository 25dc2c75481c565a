"""python-chess (https://python-chess.readthedocs.io): one figure, moves per second of processor time, as JSON.

Run with the peers' Python: `python_chess.py WHAT SECONDS`. The games are random ones up to their end, as ours are;
random play is the loop that its documentation shows. WHAT is

- `push_uci`: a move is read from text, checked, and made;
- `push`: a move that is known to be legal is made;
- `random`: all legal moves are listed, one is chosen and made, until the game is over.
"""

import json
import random
import sys
import time

import chess

GAMES = 20


def played(chance: random.Random) -> list[chess.Move]:
    """A random game."""
    board = chess.Board()
    while not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
    return list(board.move_stack)


def pushed(games: list[list[chess.Move]]) -> int:
    """Make the moves of all games again; returns how many there are."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push(move)
    return sum(map(len, games))


def pushed_uci(games: list[list[str]]) -> int:
    """Read, check and make the moves of all games; returns how many there are."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
    return sum(map(len, games))


def main(what: str, seconds: float) -> None:
    """Repeat it for so many seconds, after once that does not count."""
    chance = random.Random(1)
    games = [played(chance) for _ in range(GAMES if what != "random" else 1)]
    texts = [[move.uci() for move in moves] for moves in games]
    work = {
        "push": lambda: pushed(games),
        "push_uci": lambda: pushed_uci(texts),
        "random": lambda: len(played(chance)),
    }[what]
    work()
    done, began = 0, time.process_time()
    while not done or time.process_time() - began < seconds:
        done += work()
    print(json.dumps({"rate": done / (time.process_time() - began)}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
