"""What both kinds of growth measure: one command, one table at a version, one verdict, one rebuild."""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from events.commands import Say
from events.store.redis.redis_store import RedisEventStore
from service.jobs.jobs import validation_report
from service.play.command_handling import CommandHandling
from service.play.deciding import Request
from service.play.tables import Tables
from service.projections.rebuilding import Rebuild

AT = 10**9
"""When the commands arrive: milliseconds since the epoch, after everything that was played."""


def milliseconds(work: Callable[[], object]) -> float:
    """How long it takes, by the clock on the wall."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def command(store: RedisEventStore, games: Sequence[str], chance: random.Random) -> float:
    """The median of one command, decided, hashed and appended, to games that the process knows (milliseconds).

    It is the one that changes least, so that anything that grows with the log or with the store would show.
    """
    tables = Tables(store)
    handling = CommandHandling(store, tables)
    taken = []
    for game in games:
        tables.newest(game)
        request = Request(0, (Say("Hm."),), AT, f"growth-{chance.getrandbits(64):x}", "growth")
        taken.append(milliseconds(partial(handling.send, game, request)))
    return median(taken)


def first_look(store: RedisEventStore, games: Sequence[str]) -> float:
    """The median until a process that does not know a game has its table (milliseconds)."""
    return median(milliseconds(partial(Tables(store).newest, game)) for game in games)


def seek(store: RedisEventStore, games: Sequence[str], chance: random.Random) -> float:
    """The median until the table at some earlier version of a known game is there (milliseconds)."""
    tables = Tables(store)
    taken = []
    for game in games:
        loaded = tables.newest(game)
        version = chance.randint(1, loaded.table.version)
        taken.append(milliseconds(partial(tables.at, loaded, version)))
    return median(taken)


def validation(store: RedisEventStore, games: Sequence[str]) -> float:
    """The median of what a worker does to verify the log of a game (milliseconds).

    Raises:
        ValueError: one does not verify.
    """
    taken = []
    for game in games:
        began = time.perf_counter()
        report = validation_report(store, game, AT)
        taken.append(1000 * (time.perf_counter() - began))
        if not report["ok"]:
            raise ValueError(f"{game} does not verify: {report['findings']}")
    return median(taken)


def rebuild(store: RedisEventStore) -> float:
    """How long it takes to build the list of games anew from the feeds, and to switch to it (milliseconds)."""
    run = Rebuild(store)

    def build() -> None:
        run.build(lambda _done, _total: None)
        run.check()
        run.switch()

    return milliseconds(build)
