"""Waiting until an outage has to begin that is to lie in a certain way to a deadline."""

import random
import time
from collections.abc import Sequence

from service.platform.clock import now_milliseconds
from tests.faults.clocks.seats import ClockedTable
from tests.faults.installation import Installation

MOMENTS = ("before", "across", "after")
"""Where an outage lies to the deadline that it is aimed at."""
SOUGHT_SECONDS = 6.0
"""How long a deadline is looked for to aim at."""
LOOK_SECONDS = 0.1


class Aim:
    """What aims at the deadlines of the games at some tables."""

    def __init__(
        self, installation: Installation, tables: Sequence[ClockedTable], dice: random.Random
    ) -> None:
        """Look at the games there as everybody may."""
        self._api = installation.service.api
        self._tables = tables
        self._dice = dice

    def await_moment(self, moment: str, seconds: float) -> None:
        """Wait until an outage of so many seconds has to begin; where there is no deadline, not for long."""
        dice = self._dice
        lead = {"before": seconds + 0.3, "across": dice.uniform(0.2, min(2.0, seconds)), "after": -0.1}[
            moment
        ]
        ends = time.monotonic() + SOUGHT_SECONDS
        while time.monotonic() < ends:
            for table in dice.sample(self._tables, len(self._tables)):
                begins = [each - lead * 1000 for each in self._deadlines(table, with_grace=moment == "after")]
                left = [(each - now_milliseconds()) / 1000 for each in begins]
                if possible := [each for each in left if 0 <= each < SOUGHT_SECONDS]:
                    time.sleep(min(possible))
                    return
            time.sleep(LOOK_SECONDS)

    def _deadlines(self, table: ClockedTable, *, with_grace: bool) -> list[int]:
        """The moments at which time is over in a table's game, with the grace or without."""
        if not table.games:
            return []
        answer = self._api.call("GET", f"/v1/games/{table.games[-1].game}")
        assert answer.status == 200, answer.body
        waits = answer.json["clock"]["waits"]
        return [each["over_at" if with_grace else "deadline"] for each in waits]
