"""How large a tournament may be, in players, rounds and what is said of them."""

import re
from typing import Final

MOST_PLAYERS: Final = 512
"""Who may register for a tournament, those who withdraw again included."""
MOST_ROUNDS: Final = 64
MOST_RULINGS: Final = 8
"""Rulings about one table."""
LARGEST_TABLE: Final = 7
LONGEST_NAME: Final = 80
"""Characters of a tournament's name."""
LONGEST_REASON: Final = 500
"""Characters of why a ruling was given."""
LONGEST_EXCUSE: Final = 200
"""Characters of why the game of a table could not be set up."""
LATEST: Final = 366 * 24 * 3600
"""Seconds that a round may have before its open tables are late."""

PLAYER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~:-]{0,95}")
"""A player's id, perhaps with a namespace: characters that stand unescaped in a path, and that a table takes."""
BOT: Final = re.compile(r"[\x21-\x7e]{0,40}")
"""A bot's name, or none."""
SEED: Final = re.compile(r"[\x21-\x7e]{0,128}")
"""A player's own share of chance, as seats have one in a game."""
SHA256: Final = re.compile(r"[0-9a-f]{64}")
"""A secret, and what commits to it."""


def most_entries(players: int, rounds: int) -> int:
    """How many entries the log of a tournament with so many players and rounds can have.

    Everybody registers and withdraws, rounds are paired and closed, two sit at each table, and every table is ruled
    about as often as may be after the end, each time with the final table behind it.
    """
    tables = players // 2
    return 3 + 2 * players + rounds * (2 + tables * (2 + 2 * MOST_RULINGS))
