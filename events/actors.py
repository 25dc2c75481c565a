"""Who acts in a game, and how that is written in the log."""

import re

from events.rules.move import ARBITER, DEALER, HOST

_SEAT = re.compile("seat:(?:0|[1-9][0-9]?)")
_ACTORS = {DEALER: "dealer", HOST: "host", ARBITER: "arbiter"}


def actor_name(actor: int) -> str:
    """How an actor is written in the log: `seat:0` and so on, `dealer`, `host` or `arbiter`."""
    return _ACTORS.get(actor, f"seat:{actor}")


def actor_number(name: str) -> int:
    """The actor that a name in the log stands for.

    Raises:
        ValueError: it stands for none.
    """
    for actor, other in _ACTORS.items():
        if name == other:
            return actor
    if not _SEAT.fullmatch(name):
        raise ValueError(f"{name[:20]!r} is no actor")
    return int(name.removeprefix("seat:"))
