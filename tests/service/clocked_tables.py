"""Games with clocks, set up in this process, for tests of what is said of them."""

import random
from typing import Final

from events import commands as c
from service.access.game_access import GamePolicy
from service.http.context.services import EXTENSION, Services
from service.play.lobby import NewGame, Player
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Party

PATIENT: Final = c.ClockSettings(bank=c.HOUR, increment=30, cap=2 * c.HOUR, answer=c.HOUR, grace=5)
"""A clock by which no time runs out in a test."""


def services_of(api: InProcess) -> Services:
    """What the application is made of."""
    found: Services = api.app.extensions[EXTENSION]
    return found


def clocked_party(
    api: InProcess,
    at: int,
    clock: c.ClockSettings = PATIENT,
    policy: GamePolicy | None = None,
    name: str = "clocked",
) -> Party:
    """A game of three people by this clock, which began at this moment."""
    wanted = NewGame(
        "classic", [Player(each) for each in NAMES[:3]], {}, policy=policy or GamePolicy(), clock=clock
    )
    _, tokens = services_of(api).lobby.create(name, wanted, at, name, name)
    return Party(api, name, [tokens[seat] for seat in range(3)], random.Random(name))
