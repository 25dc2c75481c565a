"""Who acts in a game, and how that is written in the log."""

from collections.abc import Mapping
from typing import Final

from events.rules.move import ARBITER, CLOCK, DEALER, HOST

_ACTORS = {DEALER: "dealer", HOST: "host", ARBITER: "arbiter", CLOCK: "clock"}


def actor_name(actor: int) -> str:
    """How an actor is written in the log: `seat:0` and so on, `dealer`, `host`, `arbiter` or `clock`."""
    return _ACTORS.get(actor, f"seat:{actor}")


def actor_number(name: str) -> int:
    """The actor that a name in the log stands for.

    Raises:
        ValueError: it stands for none.
    """
    number = ACTOR_NUMBERS.get(name)
    if number is None:
        raise ValueError(f"{name[:20]!r} is no actor")
    return number


ACTOR_NUMBERS: Final[Mapping[str, int]] = {actor_name(actor): actor for actor in (*_ACTORS, *range(100))}
"""Every name that an actor can have in the log, with its number: a seat has two digits at most."""
