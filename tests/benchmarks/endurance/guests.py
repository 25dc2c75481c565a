"""People at tables with bots, by the Python client that we give to integrators; they look before they act."""

import random
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from events import commands as c
from events.bots.filling import fill_form
from events.commands.leaving import LEAVING
from replay.client import Fieldbook, Problem, RefusedByTheRules
from replay.client.legal import LegalCommands
from tests.benchmarks.endurance.accounts import Acknowledged
from tests.benchmarks.endurance.ledger import Ledger
from tests.benchmarks.own_service import HOST

BOTS: Final = 2
PAUSE_SECONDS: Final = 0.25
"""Between two looks at a table; bots answer as fast as they can, and would keep the machine busy alone."""
PATIENCE_SECONDS: Final = 120.0
TIMEOUT_SECONDS: Final = 40.0
END_SECONDS: Final = 60.0
_NOT_PLAYED: Final = c.Say | c.AskTakeBack | LEAVING
"""Talk, what goes back, and what ends a table of one person at once: bots agree to every end."""
MEDDLES: Final = 0.2
"""How likely somebody acts for whom the game does not wait."""


class Guests:
    """Some tables of one person and bots each; a finished game is followed by a new one."""

    def __init__(self, port: int, key: str, ledger: Ledger, tables: int) -> None:
        """Prepare; they play when this is entered."""
        self._api = Fieldbook(
            f"http://{HOST}:{port}", key, patience=PATIENCE_SECONDS, timeout=TIMEOUT_SECONDS
        )
        self._ledger = ledger
        self._stop = Event()
        self._threads = [Thread(target=self._run, args=(number,), daemon=True) for number in range(tables)]

    def __enter__(self) -> Self:
        """Sit down."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stand up, without waiting for answers."""
        self._stop.set()

    def rest(self) -> None:
        """Stand up once every command is answered."""
        self._stop.set()
        for thread in self._threads:
            thread.join(END_SECONDS)
            if thread.is_alive():
                self._ledger.find("A person at a table with bots does not come to rest")

    def _run(self, number: int) -> None:
        chance = random.Random(number)
        while not self._stop.is_set():
            try:
                self._play(chance)
            except Problem as problem:
                self._ledger.find(
                    f"A person at a table with bots was answered {problem.status} {problem.code}"
                )
                self._stop.wait(PAUSE_SECONDS)
            except Exception as error:  # noqa: BLE001 - a client that breaks is what the run must tell of
                self._ledger.find(f"A person's client broke: {type(error).__name__}: {error}")

    def _play(self, chance: random.Random) -> None:
        bots = [{"name": f"Bot {seat}", "kind": "bot", "bot": "random"} for seat in range(1, BOTS + 1)]
        made = self._api.create_game("classic", ["Ann", *bots], key=uuid4().hex)
        self._ledger.open(made.game, frozenset({0}))
        seat = self._api.seat(made.game, made.seats[0].token or "")
        for turn in seat.turns():
            if self._stop.wait(PAUSE_SECONDS):
                return
            command = choose(turn.legal, chance)
            if command is None:
                continue
            try:
                done = seat.send(command)
            except RefusedByTheRules:
                continue  # a bot was faster
            except Exception:
                self._ledger.leave_unanswered(made.game)
                raise
            self._ledger.acknowledge(made.game, Acknowledged(0, done.version, done.hash, len(done.events)))
        self._ledger.end(made.game)


def choose(legal: LegalCommands, chance: random.Random) -> c.Command | None:
    """Anything legal that is played, where the game waits for us, and sometimes where it does not."""
    listed = [*legal.ready, *(fill_form(form, chance) for form in legal.forms)]
    serious = [command for command in listed if not isinstance(command, _NOT_PLAYED)]
    if not serious or not (legal.awaited or chance.random() < MEDDLES):
        return None
    return chance.choice(serious)
