"""From games a day to processes, processors, memory and disk: arithmetic on what was measured."""

from dataclasses import dataclass
from math import ceil
from typing import Final

from tests.sizing.measured import (
    BACKUP,
    BACKUP_STAYS,
    BOTS_MEMORY,
    COMMANDS,
    ENTRIES,
    FILE,
    FILE_STAYS,
    FOLLOWERS,
    GAMES,
    HIGHEST,
    LIVE,
    PROJECTOR_MEMORY,
    RECORD,
    STAYS,
    STORE,
    STREAMS,
    STREAMS_MEMORY,
    TWENTY_STREAMS,
    VERDICT,
    WEB,
    WEBHOOKS_MEMORY,
    WORKER_MEMORY,
)

GIGABYTE: Final = 10**9
COMMANDS_OF_A_GAME: Final = COMMANDS.value / GAMES.value
EVENTS_OF_A_GAME: Final = ENTRIES.value / GAMES.value
DAYS_OF_A_YEAR: Final = 365
FILES: Final = 3
"""The store's file may double before it is written anew, and then the new one lies beside it."""
FILLED: Final = 0.9
"""The share of the store's memory from which on no new games are set up."""
PARTITIONS: Final = 16
"""More primaries than partitions have nothing to do; up to 100 can be chosen at the first start."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody has measured, and everybody knows better of their own players."""

    busiest_hour: float = 1 / 8
    """The share of a day's games that is played in its busiest hour."""
    minutes: float = 30.0
    """How long a game takes."""
    seats: int = 4
    """People in a game, each of whom follows a stream."""
    most: float = 0.5
    """The share of what was measured as the most that is planned with."""
    archived_after: float = 14.0
    """After so many days a game is archived: no sooner than it may be disputed."""
    server: float = 128.0
    """Gigabytes that a server of the store may fill."""


USUAL: Final = Assumptions()


@dataclass(frozen=True, slots=True)
class Needs:
    """What so many games a day take."""

    games: int
    commands: float
    """A second, in the busiest hour."""
    streams: int
    web: int
    """Processes of the HTTP interface, whose number is `WEB_PROCESSES` on each machine."""
    workers: int
    followers: int
    """Of each of projector, bots and webhooks."""
    processors: float
    """That commands, streams and verdicts keep busy in the busiest hour, in all processes and the store."""
    processors_at_most: float
    """By the run in which everything was done at once, with the clients on the same processors."""
    web_memory: float
    """Gigabytes of the web processes with their streams."""
    others_memory: float
    """Gigabytes of all other processes but the store."""
    primaries: int
    """Servers of the store, for commands alone."""
    live: float
    """Gigabytes of the store for games that are not archived yet."""
    stays: float
    """Gigabytes of the store that each year leaves behind of archived games."""
    full_after: int
    """Days until that one server, or as many as there are partitions, take no new games."""
    disk: float
    """Gigabytes of the store's files for games that are not archived yet, at most."""
    disk_stays: float
    """Gigabytes of them that each year leaves behind of archived games, at most."""
    backup: float
    """Gigabytes of a backup, for games that are not archived yet."""
    backup_stays: float
    """Gigabytes by which each year makes a backup larger."""
    archive: float
    """Gigabytes that each year adds to the archive."""

    @property
    def store(self) -> str:
        """Which store it takes."""
        if self.primaries == 1 and self.live + self.stays < 8:
            return "embedded, `fsync`"
        return "one server and a replica, `replicated`" if self.primaries == 1 else "a cluster with replicas"


def needs(games: int, given: Assumptions = Assumptions()) -> Needs:
    """What so many games a day take."""
    finished = games * given.busiest_hour / 3600
    commands = finished * COMMANDS_OF_A_GAME
    streams = ceil(games * given.busiest_hour * given.minutes / 60 * given.seats)
    telling = TWENTY_STREAMS.value / 20 * given.seats
    busy = {
        "web": commands * (WEB.value + telling) / 1000,
        "workers": finished * VERDICT.value / 1000,
        "followers": commands * FOLLOWERS.value / 1000,
        "store": commands * STORE.value / 1000,
    }
    by_streams = ceil(streams / (STREAMS.value * given.most))
    web = max(2, ceil(busy["web"] / given.most), by_streams)
    primaries = max(1, ceil(busy["store"] / given.most))
    day = games * EVENTS_OF_A_GAME / GIGABYTE
    live = day * LIVE.value * given.archived_after
    year = day * DAYS_OF_A_YEAR
    workers = max(1, ceil(busy["workers"] / given.most))
    followers = max(1, ceil(busy["followers"] / 3 / given.most))
    others = workers * WORKER_MEMORY.value + BOTS_MEMORY.value
    others += followers * (PROJECTOR_MEMORY.value + WEBHOOKS_MEMORY.value)
    room = FILLED * given.server * (1 if primaries == 1 else PARTITIONS) - live
    return Needs(
        games=games,
        commands=commands,
        streams=streams,
        web=web,
        workers=workers,
        followers=followers,
        processors=sum(busy.values()),
        processors_at_most=commands / HIGHEST.value * 2,
        web_memory=web * STREAMS_MEMORY.value * 2**20 / GIGABYTE,
        others_memory=others / 1000,
        primaries=primaries,
        live=live,
        stays=year * STAYS.value,
        full_after=max(0, int(room / (day * STAYS.value) + given.archived_after)) if room > 0 else 0,
        disk=FILES * day * FILE.value * given.archived_after,
        disk_stays=FILES * year * FILE_STAYS.value,
        backup=day * BACKUP.value * given.archived_after,
        backup_stays=year * BACKUP_STAYS.value,
        archive=year * RECORD.value,
    )
