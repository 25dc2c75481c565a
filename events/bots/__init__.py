"""Bots: seats that play by themselves, by the same commands as everybody and seeing no more than a player.

A bot is a function from a `Situation` to a command. Its chance comes from the bot seed that was recorded when
it sat down and from the game's version, so the same situation always gives the same command.
"""

import hashlib
import random
from collections.abc import Collection, Mapping

from events.bots.greedy.greedy_bot import play_greedily
from events.bots.lookahead.lookahead_bot import look_ahead
from events.bots.random_bot import play_at_random
from events.bots.situation import Bot, Situation
from events.commands import Command

BOTS: Mapping[str, Bot] = {"random": play_at_random, "greedy": play_greedily, "lookahead": look_ahead}
"""Every bot that a table is offered, by the name under which it takes a seat."""
QUICK_BOTS: Collection[str] = ("random", "greedy")
"""Those that choose in a millisecond or two, so that a request can wait for them: the bots of clocks and branches."""


def choose(name: str, situation: Situation, seed: str, version: int) -> Command | None:
    """What the bot of this name does at this version of the game; None: nothing for now.

    Raises:
        KeyError: there is no such bot.
    """
    drawn = hashlib.sha256(f"{seed}/{version}".encode()).digest()
    return BOTS[name](situation, random.Random(int.from_bytes(drawn)))  # noqa: S311 (play, not cryptography)
