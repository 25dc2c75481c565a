"""One run: an installation, its load, its restarts, and what was found."""

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from replay.client import Fieldbook
from tests.benchmarks.endurance.aftermath import Examination
from tests.benchmarks.endurance.doorbell import FINISHED, doorbell
from tests.benchmarks.endurance.guests import Guests
from tests.benchmarks.endurance.installation import Installation
from tests.benchmarks.endurance.judging import Run, judged
from tests.benchmarks.endurance.ledger import Ledger
from tests.benchmarks.endurance.readiness import is_served
from tests.benchmarks.endurance.restarting import Restarting
from tests.benchmarks.endurance.results import Endurance
from tests.benchmarks.endurance.schedule import Restart, schedule
from tests.benchmarks.endurance.supply import Supply
from tests.benchmarks.endurance.watching import Watching
from tests.benchmarks.machine import machine
from tests.benchmarks.own_service import HOST, OwnService, ServiceFailed

READY_SECONDS: Final = 150.0
TELL_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 0.1


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How a run is."""

    seconds: float
    load: float | None = None
    """Commands per second; None for half of the highest rate."""
    games: int = 16
    """Games of people at once."""
    with_bots: int = 3
    """Games of a person with bots at once, besides."""
    restarts: tuple[Restart, ...] | None = None
    """None for every process in turn."""
    warm_up: float = 15.0
    """The seconds before that, and once more after it at the load that follows from it, which count for nothing."""
    probe: float = 45.0
    """The seconds in which the highest rate is found out, with everything at work that is at work later."""


def run(plan: Plan, folder: Path, say: Callable[[str], None] = lambda _: None) -> Endurance:
    """Carry out a plan in this empty folder; `say` hears how far it is.

    Raises:
        ServiceFailed: the installation does not start.
    """
    seen, ledger = machine(), Ledger()
    with ExitStack() as stack:
        bell = stack.enter_context(doorbell())
        installation = stack.enter_context(Installation(folder))
        service = _opened(installation)
        api = Fieldbook(f"http://{HOST}:{service.port}", service.key)
        api.create_webhook(bell.url, events=[FINISHED], games="own")
        supply = stack.enter_context(Supply(service, ledger, plan.games, plan.load))
        guests = stack.enter_context(Guests(service.port, service.key, ledger, plan.with_bots))
        highest = None if plan.load else _highest(plan, installation, ledger)
        load = plan.load or (highest or 0.0) / 2
        say(f"{load:.0f} commands/s" + (f", half of {highest:.0f}" if highest else ""))
        if highest:
            supply.pace(load)
            _wait(plan.warm_up, installation)
        begin = time.monotonic()
        with Watching(installation) as watching:
            restarting = Restarting(installation, ledger, _Telling(supply, ledger, begin, say).look)
            restarts = schedule(installation.names, plan.seconds) if plan.restarts is None else plan.restarts
            restarting.carry_out(restarts, begin, plan.seconds)
        end = time.monotonic()
        supply.rest()
        guests.rest()
        aftermath = Examination(installation, ledger, bell).aftermath(say)
        supply.leave()
        for text in installation.ended_by_themselves:
            ledger.find(text)
    return judged(
        Run(
            machine=seen,
            begin=begin,
            end=end,
            highest=highest,
            load=load,
            at_once=plan.games,
            with_bots=plan.with_bots,
            ledger=ledger,
            watching=watching,
            restarted=restarting.restarted,
            aftermath=aftermath,
        )
    )


def _opened(installation: Installation) -> OwnService:
    """The installation as the other benchmarks know one, once it is ready."""
    deadline = time.monotonic() + READY_SECONDS
    while not is_served(installation.port):
        if installation.ended_by_themselves or time.monotonic() > deadline:
            said = installation.ended_by_themselves or [installation.said("web")]
            raise ServiceFailed(f"It did not become ready: {said[0]}")
        installation.mend()
        time.sleep(LOOK_SECONDS)
    return OwnService(
        folder=installation.folder,
        port=installation.port,
        key=installation.key(),
        process=os.getpid(),
        environment=installation.environment,
    )


def _highest(plan: Plan, installation: Installation, ledger: Ledger) -> float:
    """The commands per second that are answered while each is sent as soon as the one before it is answered."""
    _wait(plan.warm_up, installation)
    before, begun = len(ledger.latencies), time.monotonic()
    _wait(plan.probe, installation)
    return (len(ledger.latencies) - before) / (time.monotonic() - begun)


def _wait(seconds: float, installation: Installation) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        installation.mend()
        time.sleep(LOOK_SECONDS)


class _Telling:
    """Says now and then how far a run is."""

    def __init__(self, supply: Supply, ledger: Ledger, begin: float, say: Callable[[str], None]) -> None:
        self._supply, self._ledger, self._begin, self._say = supply, ledger, begin, say
        self._next = begin + TELL_SECONDS

    def look(self) -> None:
        """Called all the time."""
        self._supply.look_after()
        now = time.monotonic()
        if now >= self._next:
            self._next = now + TELL_SECONDS
            ledger = self._ledger
            self._say(
                f"{now - self._begin:.0f} s: {ledger.acknowledged} commands acknowledged, "
                f"{ledger.tried_again} tried again, {len(ledger.findings)} findings"
            )
