"""What colluding bots have agreed on before the game: who is a partner, and in which turns they favour each other."""

import hashlib
import re
from typing import Final

from events.bots.situation import Situation

_NAME: Final = re.compile(r"colluder-(0|1|0\.[0-9]{1,2})")
_SCALE: Final = 1 << 64


def strength_in(name: str) -> float | None:
    """The probability from 0 to 1 with which a bot of this name favours its partner in a turn; None: it is another.

    >>> strength_in("colluder-0.25"), strength_in("colluder-1"), strength_in("greedy")
    (0.25, 1.0, None)
    """
    found = _NAME.fullmatch(name)
    return None if found is None else float(found[1])


def partners(situation: Situation) -> tuple[int, ...]:
    """The other seats at the table on which a colluding bot sits, of whatever strength."""
    return tuple(
        seat["seat"]
        for seat in situation.view["seats"]
        if seat["seat"] != situation.seat and strength_in(seat["bot"] or "") is not None
    )


def is_agreed(situation: Situation, strength: float) -> bool:
    """Whether this is one of the turns in which they favour each other.

    It follows from the game's commitment and the number of the turn, so every partner knows without a word.
    """
    view = situation.view
    drawn = hashlib.sha256(f"collude/{view['commitment']}/{view['turn']}".encode()).digest()[:8]
    return int.from_bytes(drawn) < strength * _SCALE
