"""What happens when thousands of games are due at once, as after an outage: by a real projector, in real time."""

import sys
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from events.commands import Say
from events.domain_events import TimeCredited, TimeExpired
from events.game.clock import SECOND
from events.log.codec import decode_event
from events.store.redis.redis_store import RedisEventStore
from service.platform.clock import now_milliseconds
from service.play.command_handling import CommandHandling
from service.play.deciding import Request
from service.play.tables import Tables
from service.storage.levels import Durability
from service.storage.life_marks import SETTLING, LifeMarks
from service.timekeeping.due_games import due_index
from tests.benchmarks.own_service import started
from tests.benchmarks.stores import measured_installation
from tests.benchmarks.waiting.games import index_all, put_all

AWAY: Final = 600
WAIT: Final = 20
GRACE: Final = 1
"""Seconds that a game waits, and so much later its time is over."""
LEFT: Final = 5
"""Seconds that every game has left when the outage begins."""
PATIENT: Final = 7200
LOOK: Final = 0.2
"""Seconds from one command to another game to the next."""
LOOKS_TOGETHER: Final = 10
"""After so many of them it is asked whether anything is left to do."""
LONGEST: Final = 900.0


class Outage(NamedTuple):
    """What was seen; all times are seconds."""

    games: int
    credited_after: float
    """From the first mark after the outage until the last game had its time back."""
    expired_after: float
    """The same until the last time that was over was recorded."""
    lateness: Sequence[float]
    """How long after its deadline and grace each of them was recorded, in order."""
    oldest_mark: float
    """How old a mark of life was at most meanwhile: after three seconds nobody knows whether time is over."""
    commands: Sequence[float]
    """How long commands to another game took meanwhile, in order."""
    wrong: int
    """Games in which time was not over exactly once, or over in the outage or the ten seconds after it."""

    def as_markdown(self) -> str:
        """The figures as a table."""
        late, took = self.lateness, [1000 * each for each in self.commands]
        rows = (
            ("games that were due at once", f"{self.games:,}"),
            ("all had their time back after", f"{self.credited_after:.1f} s"),
            ("all that was over was recorded after", f"{self.expired_after:.1f} s"),
            ("that was after its moment: median, latest", f"{median(late):.1f} s, {late[-1]:.1f} s"),
            ("the oldest mark of life meanwhile", f"{self.oldest_mark:.1f} s"),
            ("commands to another game: median, 99 of 100", f"{median(took):.1f}, {_most(took):.1f} ms"),
            ("games in which time was over twice, or too early", f"{self.wrong}"),
        )
        return "\n".join(("|  |  |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows)))


def measure_outage(games: int, durability: Durability) -> Outage:
    """Let so many games wait through an outage, and watch a projector come back to them.

    Raises:
        StoreError: the store does not start or does not take what it is given.
        TimeoutError: not all of it is done within a quarter of an hour.
    """
    with measured_installation(durability) as (store, environment), TemporaryDirectory() as folder:
        marks, stopped = LifeMarks(store), now_milliseconds() - AWAY * SECOND
        marks.beat_all(range(store.partitions), stopped)
        names = put_all(store, "due", games, stopped - (WAIT - LEFT) * SECOND, WAIT)
        (other,) = put_all(store, "other", 1, stopped, PATIENT)
        index_all(store)
        projector = [sys.executable, "-m", "service.projector"]
        with started(projector, environment, Path(folder) / "projector.log"):
            commands, oldest = _play_meanwhile(store, other, stopped)
        return _outage(store, names, commands, oldest)


def _play_meanwhile(store: RedisEventStore, game: str, stopped: int) -> tuple[list[float], float]:
    """Send commands to a game until nothing else is due; how long each took, and the oldest mark that was seen."""
    handling, marks, partitions = (
        CommandHandling(store, Tables(store)),
        LifeMarks(store),
        range(store.partitions),
    )
    index, ends = due_index(store, [*partitions]), time.monotonic() + LONGEST
    took, oldest = list[float](), 0.0
    for number in count():
        began = time.perf_counter()
        talk = Request(number % 2, (Say("Hm."),), now_milliseconds(), f"talk-{number}", "talk")
        handling.send(game, talk)
        took.append(time.perf_counter() - began)
        alive = min(marks.look(partition).alive for partition in partitions)
        if alive > stopped:
            oldest = max(oldest, (now_milliseconds() - alive) / SECOND)
            is_asked = number % LOOKS_TOGETHER == 0
            if is_asked and not index.due(now_milliseconds() + WAIT * SECOND, most=1):
                return sorted(took), oldest
        if time.monotonic() > ends:
            break
        time.sleep(LOOK)
    raise TimeoutError(f"Not everything that was due is done after {LONGEST:.0f} s.")


def _outage(store: RedisEventStore, games: Sequence[str], commands: list[float], oldest: float) -> Outage:
    """Read from the logs what was recorded when."""
    credited, expired, lateness, wrong = 0, 0, list[float](), 0
    back = min(gap.until for gap in LifeMarks(store).look(0).gaps) - SETTLING
    for game in games:
        over = given_back = 0
        for entry in store.read(game):
            event = decode_event(entry)
            if isinstance(event, TimeCredited):
                given_back = given_back or entry.at
            elif isinstance(event, TimeExpired):
                over, expired = over + 1, max(expired, entry.at)
                lateness.append(entry.at / SECOND - event.deadline / SECOND - GRACE)
                wrong += event.deadline < back + SETTLING
        wrong += over != 1
        credited = max(credited, given_back)
    return Outage(
        len(games),
        (credited - back) / SECOND,
        (expired - back) / SECOND,
        sorted(lateness),
        oldest,
        commands,
        wrong,
    )


def _most(values: Sequence[float]) -> float:
    """So much at most in 99 of 100 cases; the values are in order."""
    return values[len(values) * 99 // 100]
