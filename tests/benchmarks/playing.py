"""Many games at once against a service, as fast as it answers or at a rate, and what that took of the processors."""

from collections.abc import Sequence
from math import ceil

import msgspec

from tests.benchmarks.chosen import ChosenGame, chosen_games
from tests.benchmarks.load.plan import Found, Plan
from tests.benchmarks.load.processes import carried_out_by_processes, shared_out
from tests.benchmarks.own_service import OwnService
from tests.benchmarks.processor import between, processor_seconds

ENOUGH = 1.6
"""So many times as many commands are chosen as the service took in the same time before."""
LEAST_GAMES = 2
LEAST_TOLD = 0.005
"""Milliseconds of processor time; what uses less is not named."""


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How much is played."""

    games: int = 16
    """Games at once."""
    warm_up: float = 1.0
    seconds: float = 8.0


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What a run found."""

    found: Found
    used: dict[str, float]
    """Processor time by kind of process, in milliseconds for each command."""

    @property
    def rate(self) -> float:
        """Acknowledged commands per second."""
        return self.found.counted / self.found.seconds if self.found.seconds else 0.0

    @property
    def load(self) -> float:
        """Processors that the load itself kept busy."""
        return self.found.processor_seconds / self.found.seconds if self.found.seconds else 0.0

    def milliseconds(self, part: float) -> float:
        """The time within which this part of the commands was answered."""
        taken = sorted(self.found.milliseconds)
        return taken[min(int(part * len(taken)), len(taken) - 1)]


class Playing:
    """Plays against a service; each run needs new games, as many as the service will get through."""

    def __init__(self, service: OwnService, size: Size) -> None:
        """Find out with a short run how many games that is; it also warms the service up."""
        self._service = service
        self._size = size
        self._seed = 0
        self._rate = 0.0
        first = self.lanes(size.warm_up, 150.0 * size.games)
        self._rate = played(service.port, (service.process,), first, size.warm_up / 2, size.warm_up / 2).rate

    def lanes(self, seconds: float, rate: float | None = None) -> list[tuple[ChosenGame, ...]]:
        """New games for each lane, enough for so many seconds at the rate of the last run."""
        size, self._seed = self._size, self._seed + 1
        sample = chosen_games(self._service, size.games, self._seed * 1000)
        length = sum(len(game.steps) for game in sample) / len(sample)
        wanted = ceil((rate or self._rate) * seconds * ENOUGH / size.games / length)
        more = chosen_games(
            self._service, size.games * max(wanted - 1, LEAST_GAMES - 1), self._seed * 1000 + 1
        )
        games = [*sample, *more]
        return [tuple(games[place :: size.games]) for place in range(size.games)]

    def as_fast_as_answered(self) -> Played:
        """One run in which each lane sends its next command when the last one is answered."""
        size = self._size
        lanes = self.lanes(size.warm_up + size.seconds)
        run = played(self._service.port, (self._service.process,), lanes, size.warm_up, size.seconds)
        self._rate = max(self._rate, run.rate)
        return run

    def at_rate(self, rate: float) -> Played:
        """One run with so many commands per second, whether or not they are answered in time."""
        size = self._size
        lanes = self.lanes(size.warm_up + size.seconds, rate)
        return played(
            self._service.port, (self._service.process,), lanes, size.warm_up, size.seconds, rate=rate
        )


def played(
    port: int,
    processes: Sequence[int],
    lanes: Sequence[tuple[ChosenGame, ...]],
    warm_up: float,
    seconds: float,
    *,
    rate: float | None = None,
    again: bool = False,
) -> Played:
    """Send what was chosen to a port, from processes of the load.

    Raises:
        ServiceFailed: a command was refused, or the load did not end as it must.
    """
    shares = shared_out(lanes)
    plans = [
        Plan(
            port=port,
            lanes=share,
            warm_up=warm_up,
            seconds=seconds,
            again=again,
            rate=rate * len(share) / len(lanes) if rate else None,
        )
        for share in shares
    ]
    before = processor_seconds(processes)
    found = carried_out_by_processes(plans)
    used = between(before, processor_seconds(processes))
    # Of the whole run, its beginning included, of which only the counted part is known to the command.
    commands = found.counted * (warm_up + found.seconds) / found.seconds if found.seconds else 0.0
    return Played(
        found=found, used={name: 1000 * each / commands for name, each in used.items()} if commands else {}
    )


def use_in_words(run: Played) -> str:
    """The processor time of a command, as a note."""
    parts = ", ".join(
        f"{name} {each:.2f}"
        for name, each in sorted(run.used.items(), key=lambda each: -each[1])
        if each >= LEAST_TOLD
    )
    used = parts or "not known on this system"
    return f"processor time of a command in ms: {used}; the load itself keeps {run.load:.2f} processors busy"
