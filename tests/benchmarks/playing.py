"""Many games at once against a service, as fast as it answers or at a rate, with the processor time that it took."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from math import ceil

import msgspec

from tests.benchmarks.chosen import ChosenGame, chosen_games
from tests.benchmarks.figures import Figure, percentile
from tests.benchmarks.load import LoadReport, Plan
from tests.benchmarks.own_service import (
    OwnService,
    ServiceFailed,
    await_all_ready,
    heard,
    plain_environment,
    talking,
    tell,
)
from tests.benchmarks.processor import processor_seconds, used_between

HOW_CHOSEN = (
    "every command was chosen before it was sent, by playing the game with its secret, read from the store of the "
    "benchmark's own service; a connection for each seat, an Idempotency-Key with each command"
)
PROCESSES = 2
"""Processes of the load."""
ENOUGH = 1.6
"""Commands that are chosen, as a multiple of those that the service took in the same time before."""
MIN_GAMES = 2


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """The size of a load: games at once, seconds before commands count, and counted seconds."""

    games: int = 16
    warm_up: float = 1.0
    seconds: float = 8.0


SMALLEST = Size(games=2, warm_up=0.5, seconds=1.0)


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run, with the processor time of each kind of process in milliseconds for each command."""

    found: LoadReport
    used: dict[str, float]

    @property
    def rate(self) -> float:
        """Acknowledged commands per second."""
        return self.found.counted / self.found.seconds if self.found.seconds else 0.0

    def p(self, percent: float) -> float:
        """Return this percentile of the answer times in milliseconds."""
        return percentile(self.found.milliseconds, percent)

    @property
    def in_words(self) -> str:
        """The processor time of a command, as a note."""
        used = sorted(self.used.items(), key=lambda each: -each[1])
        parts = ", ".join(f"{name} {each:.2f}" for name, each in used if each >= 0.005)
        load = self.found.processor_seconds / self.found.seconds if self.found.seconds else 0.0
        return (
            f"processor time of a command in ms: {parts or 'unknown on this system'}; the load itself keeps"
            f" {load:.2f} processors busy"
        )


class Playing:
    """Plays against a service; each run gets new games, as many as the service will get through."""

    def __init__(self, service: OwnService, size: Size) -> None:
        """Find out with a short run how many games that is, which also warms the service up."""
        self._service, self._size = service, size
        self._seed, self._rate = 0, 0.0
        first = self._lanes(size.warm_up, 150.0 * size.games)
        self._rate = played(service.port, (service.process,), first, size.warm_up / 2, size.warm_up / 2).rate

    def as_fast_as_answered(self) -> Played:
        """Play a run: each lane sends its next command when the last one is answered."""
        run = self._played(None)
        self._rate = max(self._rate, run.rate)
        return run

    def at_rate(self, rate: float) -> Played:
        """Play a run with this number of commands per second, whether or not they are answered in time."""
        return self._played(rate)

    def _played(self, rate: float | None) -> Played:
        size, service = self._size, self._service
        lanes = self._lanes(size.warm_up + size.seconds, rate or self._rate)
        return played(service.port, (service.process,), lanes, size.warm_up, size.seconds, rate=rate)

    def _lanes(self, seconds: float, rate: float) -> list[tuple[ChosenGame, ...]]:
        """Set up new games for each lane, enough for these seconds at this rate."""
        games, self._seed = self._size.games, self._seed + 1
        sample = chosen_games(self._service, games, self._seed * 1000)
        length = sum(len(game.steps) for game in sample) / len(sample)
        wanted = max(ceil(rate * seconds * ENOUGH / games / length), MIN_GAMES)
        every = [*sample, *chosen_games(self._service, games * (wanted - 1), self._seed * 1000 + 1)]
        return [tuple(every[place::games]) for place in range(games)]


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
    """Send chosen commands to a port, from processes of the load.

    Raises:
        ServiceFailed: a command was refused, or the load did not end as it must.
    """
    plan = Plan(port=port, lanes=tuple(lanes), warm_up=warm_up, seconds=seconds, again=again)
    shares = [tuple(lanes[place::PROCESSES]) for place in range(min(PROCESSES, len(lanes)))]
    before = processor_seconds(processes)
    with ExitStack() as stack:
        command = [sys.executable, "-m", "tests.benchmarks.load"]
        running = [stack.enter_context(talking(command, plain_environment())) for _ in shares]
        for process, share in zip(running, shares, strict=True):
            part = rate * len(share) / len(lanes) if rate else None
            tell(process, msgspec.json.encode(msgspec.structs.replace(plan, lanes=share, rate=part)))
        await_all_ready(running)
        for process in running:
            tell(process, b"go")
        found = added_up([msgspec.json.decode(heard(process), type=LoadReport) for process in running])
    used = used_between(before, processor_seconds(processes))
    # Processor time is that of the whole run; only commands of the counted part are known.
    commands = found.counted * (warm_up + found.seconds) / found.seconds if found.seconds else 0.0
    return Played(
        found=found, used={name: 1000 * each / commands for name, each in used.items()} if commands else {}
    )


def added_up(found: Sequence[LoadReport]) -> LoadReport:
    """Return what several processes saw together.

    Raises:
        ServiceFailed: a command was refused, though chosen commands are legal.
    """
    refused = sum(each.refused for each in found)
    if refused:
        raise ServiceFailed(f"{refused} commands that were chosen beforehand were refused.")
    return LoadReport(
        counted=sum(each.counted for each in found),
        seconds=min(each.seconds for each in found),
        milliseconds=tuple(taken for each in found for taken in each.milliseconds),
        processor_seconds=sum(each.processor_seconds for each in found),
    )


def rates(runs: Sequence[Played], games: int) -> Figure:
    """Return the figure of commands per second of these runs."""
    return Figure(
        what=f"commands over HTTP, {games} games at once, level fsync",
        unit="commands/s",
        values=tuple(run.rate for run in runs),
    )
