"""Games for the players, always some ahead of them, and what is told of them put down in the ledger."""

import itertools
from contextlib import ExitStack
from http.client import HTTPException
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

import msgspec

from events.store.errors import StoreError
from tests.benchmarks.chosen import PLAYERS, ChosenGame, chosen_games
from tests.benchmarks.endurance import messages as m
from tests.benchmarks.endurance.ledger import Ledger
from tests.benchmarks.endurance.talking import Talker
from tests.benchmarks.own_service import OwnService

AHEAD: Final = 24
"""Games set up before they are needed: for when the service sets up none, and to find out its highest rate."""
PAUSE_SECONDS: Final = 0.2
REST_SECONDS: Final = 150.0
"""How long players may take to get the answers they wait for."""


class Supply:
    """Players and spectators at work, from when this is entered; they are gone when it is left."""

    def __init__(self, service: OwnService, ledger: Ledger, games: int, rate: float | None) -> None:
        """So many games at once, with so many commands per second together; None for as fast as answered."""
        self._service = service
        self._ledger = ledger
        self._games = games
        self._seeds = itertools.count(1)
        setting = m.Setting(port=service.port, games=games, rate=rate)
        self._players = Talker("tests.benchmarks.endurance.players", setting, self._hear)
        self._spectators = Talker("tests.benchmarks.endurance.spectators", setting, self._hear)
        self._wanted: SimpleQueue[None] = SimpleQueue()
        self._stop = Event()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Choose the first games, and let them be played."""
        first = [self._chosen() for _ in range(self._games + AHEAD)]
        with ExitStack() as stack:
            stack.enter_context(self._spectators)
            stack.enter_context(self._players)
            self._stack = stack.pop_all()
        for game in first:
            self._hand_in(game)
        Thread(target=self._choose, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End both processes."""
        self._stop.set()
        self._stack.close()

    def pace(self, rate: float) -> None:
        """Play at so many commands per second from now on."""
        self._players.tell(m.Pace(rate))

    def look_after(self) -> None:
        """Keep where one of the processes has ended, which only a fault of the run itself can explain."""
        for name, process in (("players", self._players), ("spectators", self._spectators)):
            if process.has_ended:
                self._ledger.find(f"The process of the {name} has ended")

    def rest(self) -> None:
        """Let the players get the answers they wait for, and send nothing further."""
        self._stop.set()
        self._players.tell(m.Stop())
        if not self._players.is_done(REST_SECONDS):
            self._ledger.find("The players do not come to rest")

    def leave(self) -> None:
        """Let the spectators tell what they still have seen."""
        self._spectators.tell(m.Stop())
        if not self._spectators.is_done(REST_SECONDS):
            self._ledger.find("The spectators do not come to rest")

    def _choose(self) -> None:
        while not self._stop.is_set():
            self._wanted.get()
            while not self._stop.is_set():
                try:
                    self._hand_in(self._chosen())
                    break
                except (OSError, HTTPException, msgspec.DecodeError, StoreError):
                    # It is just being restarted, perhaps in the middle of its answer. A game that nobody was told of
                    # stays unplayed.
                    self._stop.wait(PAUSE_SECONDS)

    def _chosen(self) -> ChosenGame:
        (game,) = chosen_games(self._service, 1, next(self._seeds))
        return game

    def _hand_in(self, game: ChosenGame) -> None:
        self._ledger.open(game.game, frozenset(range(PLAYERS)), game.version)
        self._players.tell(m.Play(game))

    def _hear(self, told: m.Told) -> None:
        ledger = self._ledger
        match told:
            case m.Answered():
                ledger.acknowledge(told.game, told.told, tries=told.tries, known=told.known)
                ledger.latencies.append((told.moment, told.seconds))
            case m.Begun(game):
                self._spectators.tell(m.Watch(game))
                self._wanted.put(None)
            case m.Ended(game):
                ledger.end(game)
            case m.Seen(lags):
                ledger.lags.extend(lags)
            case m.Watched(game, version):
                ledger.watch(game, version)
            case m.Unanswered(game):
                ledger.leave_unanswered(game)
            case m.Wrong(text):
                ledger.find(text)
