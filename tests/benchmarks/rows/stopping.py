"""How long a service in full swing takes to stop, and whether what it has acknowledged is in its log."""

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from tests.benchmarks.chosen import chosen_games
from tests.benchmarks.ending import seconds_until_ended
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.load.plan import Acknowledged, Plan
from tests.benchmarks.load.processes import begun, found_by, shared_out
from tests.benchmarks.measuring import Side, command_for, compared
from tests.benchmarks.own_service import OwnService, own_service, started
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.rows.spectators import Crowd
from tests.benchmarks.stored_games import StoredGames
from tests.benchmarks.watching.processes import Audience
from tests.support.servers import ROOT

LONGEST_SECONDS = 90.0
"""How long the load goes on where the service does not end it."""


@dataclass(frozen=True)
class Stopping:
    """The row: seconds on the clock."""

    crowd: Crowd = field(default_factory=lambda: Crowd(warm_up=0.0, seconds=3.0))
    """Who watches and plays, and how long before the signal."""
    name: str = "stop"
    about: str = "stop of everything with 1,000 open streams and commands under way"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; each round has a service of its own."""
        crowd, notes = self.crowd, list[str]()

        def stopped() -> float:
            seconds, acknowledged = _stopped(crowd)
            notes.append(f"{seconds:.2f} s; {acknowledged} commands were acknowledged, and are in the log")
            return seconds

        what = f"from SIGTERM until all has ended, {crowd.spectators} streams, {crowd.rate:.0f} commands/s"
        row = compared(
            self.name,
            "s",
            goal=Goal(of="figure", at_most=5.0),
            ours=Side(what, stopped),
            beside=None,
            rounds=rounds,
            notes=(
                "the store is started again alone: each game has its last acknowledged command, with the same hash",
            ),
            command=command_for(self.name),
        )
        # The first one did not count.
        yield row.with_notes(*notes[1:])


def _stopped(crowd: Crowd) -> tuple[float, int]:
    """Seconds until a service has ended, and how many commands it has acknowledged before.

    Raises:
        ServiceFailed: it does not end, or a command was refused before.
        ValueError: something acknowledged is not in the log, or nobody played any more when the signal came.
    """
    with own_service() as service:
        games = chosen_games(service, crowd.games)
        following = [games[place % len(games)].game for place in range(crowd.spectators)]
        shares = shared_out([(game,) for game in games])
        plans = [
            Plan(
                port=service.port,
                lanes=share,
                warm_up=crowd.warm_up,
                seconds=LONGEST_SECONDS,
                rate=crowd.rate * len(share) / len(games),
                until_stopped=True,
            )
            for share in shares
        ]
        with Audience(service.port, following), begun(plans) as load:
            time.sleep(crowd.warm_up + crowd.seconds)
            seconds = seconds_until_ended(service.process)
            found = found_by(load)
        if found.exhausted or not found.acknowledged:
            raise ValueError("Nobody played any more when the service was to stop.")
        _check_log(service, found.acknowledged)
        return seconds, found.counted


def _check_log(service: OwnService, acknowledged: Mapping[str, Acknowledged]) -> None:
    """Hold the log against the last answer of each game: the chain vouches for all before it.

    Raises:
        ValueError: an entry is missing, or another one stands in its place.
    """
    environment = {**service.environment, "FIELDBOOK_PARENT": str(os.getpid())}
    command = [sys.executable, "-m", "service.embedded_store"]
    log = service.folder / "store.log"
    with (
        started(command, environment, log, ROOT),
        closing(StoredGames.opened(environment)) as stored,
    ):
        lost = [game for game, told in acknowledged.items() if not _holds(stored, game, told)]
    if lost:
        raise ValueError(f"{len(lost)} games have lost what was acknowledged before the service stopped.")


def _holds(stored: StoredGames, game: str, told: Acknowledged) -> bool:
    entries = stored.read(game)
    return len(entries) >= told.version and entries[told.version - 1].hash == told.hash
