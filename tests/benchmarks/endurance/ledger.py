"""Everything that the clients of a run were told, game by game; safe for many threads."""

from collections import defaultdict
from dataclasses import dataclass, field
from threading import Lock

from tests.benchmarks.endurance.accounts import Acknowledged


@dataclass
class GameLedger:
    """What was told of one game."""

    seats: frozenset[int]
    """The people, whose commands are all known here; bots play the other seats."""
    due: int | None = None
    """The version at which the game ends, where all its commands were chosen before."""
    acknowledged: list[Acknowledged] = field(default_factory=list)
    unanswered: int = 0
    ended: bool = False
    watched: int | None = None
    """The version at which a stream of the game has ended."""


class Ledger:
    """All games of a run.

    Attributes:
        latencies: moments (time.monotonic) of acknowledgements, each with the seconds since the command was due.
        lags: moments at which streams brought something, each with the seconds since its command.
    """

    def __init__(self) -> None:
        """Begin without games."""
        self._lock = Lock()
        self._games: dict[str, GameLedger] = {}
        self._findings: dict[str, int] = defaultdict(int)
        self.latencies: list[tuple[float, float]] = []
        self.lags: list[tuple[float, float]] = []
        self.acknowledged = 0
        self.tried_again = 0
        self.known = 0

    def open(self, game: str, seats: frozenset[int], due: int | None = None) -> None:
        """Keep the accounts of one game more."""
        with self._lock:
            self._games[game] = GameLedger(seats, due)

    def acknowledge(self, game: str, told: Acknowledged, *, tries: int = 1, known: bool = False) -> None:
        """Keep a success; `known` says that an earlier try had counted, whose answer was lost."""
        with self._lock:
            self._games[game].acknowledged.append(told)
            self.acknowledged += 1
            self.tried_again += tries - 1
            self.known += known

    def leave_unanswered(self, game: str) -> None:
        """Keep that a command may have counted or not."""
        with self._lock:
            self._games[game].unanswered += 1

    def end(self, game: str) -> None:
        """Keep that a game was played to its end."""
        with self._lock:
            self._games[game].ended = True

    def watch(self, game: str, version: int) -> None:
        """Keep where a stream of a game has ended."""
        with self._lock:
            self._games[game].watched = version

    def find(self, text: str) -> None:
        """Keep something that must not be; the same one again is counted."""
        with self._lock:
            self._findings[text] += 1

    @property
    def games(self) -> dict[str, GameLedger]:
        """All games that were begun."""
        with self._lock:
            return dict(self._games)

    @property
    def findings(self) -> list[str]:
        """All that must not be."""
        with self._lock:
            return [
                text if count == 1 else f"{text} ({count} times)" for text, count in self._findings.items()
            ]
