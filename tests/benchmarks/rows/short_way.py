"""What the short way brings: commands, and looks at the table, with it and without."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import cycle
from typing import Final

from tests.benchmarks.chosen import SetUp, set_up
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.own_service import HOST, OwnService, ServiceFailed, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.playing import Playing, Size
from tests.benchmarks.processor import between, processor_seconds
from tests.benchmarks.quiet import await_quiet
from tests.benchmarks.rows.http_commands import HOW_CHOSEN, WHAT

LOOKS: Final = {"tables": "", "legal-commands": "/commands"}
"""What a seat looks at, by the name of its row: the path behind its game's."""


@dataclass(frozen=True)
class ShortWay:
    """The rows: commands as fast as they are answered, and what a look costs the web processes."""

    size: Size = field(default_factory=Size)
    looks: int = 2_000
    name: str = "short-way"
    about: str = "commands, tables and legal commands on the short way, beside the same behind Flask"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:  # noqa: ARG002 - there is no peer here
        """Measure; both services run at once and take turns."""
        with ExitStack() as stack:
            short, flask = (
                stack.enter_context(own_service(FIELDBOOK_SHORT_WAY=setting)) for setting in ("on", "off")
            )

            def rate(playing: Playing) -> float:
                await_quiet((short.process, flask.process))
                return playing.as_fast_as_answered().rate

            ours, beside = Playing(short, self.size), Playing(flask, self.size)
            yield compared(
                self.name,
                "commands/s",
                goal=Goal(at_least=1.5),
                ours=Side(WHAT.format(games=self.size.games), lambda: rate(ours)),
                beside=Side("the same behind Flask", lambda: rate(beside)),
                rounds=rounds,
                notes=("FIELDBOOK_SHORT_WAY on and off, else alike", HOW_CHOSEN),
                command=f"python -m tests.benchmarks --only {self.name}",
            )
            games = {service.process: set_up(service) for service in (short, flask)}

            def cost(service: OwnService, path: str) -> float:
                await_quiet((short.process, flask.process))
                return self._look(service, games[service.process], path)

            for row, path in LOOKS.items():
                what = f"a look at {row.replace('-', ' ')}, processor time of the web processes"
                yield compared(
                    f"{self.name}/{row}",
                    "ms",
                    goal=Goal(at_most=0.67),
                    ours=Side(what, partial(cost, short, path)),
                    beside=Side("the same behind Flask", partial(cost, flask, path)),
                    rounds=rounds,
                    notes=(f"{self.looks:,} looks of four seats in turn, over one connection",),
                    command=f"python -m tests.benchmarks --only {self.name}",
                )

    def _look(self, service: OwnService, game: SetUp, path: str) -> float:
        """Milliseconds of the web processes for a look."""
        connection = HTTPConnection(HOST, service.port, timeout=30)
        seats = cycle({"Authorization": f"Bearer {token}"} for token in game.tokens)
        before = processor_seconds((service.process,))
        for _ in range(self.looks):
            connection.request("GET", f"/v1/games/{game.game}{path}", headers=next(seats))
            answer = connection.getresponse()
            answer.read()
            if answer.status != HTTPStatus.OK:
                raise ServiceFailed(f"A look was answered with {answer.status}.")
        used = between(before, processor_seconds((service.process,)))
        connection.close()
        return 1000 * sum(each for name, each in used.items() if "web" in name) / self.looks
