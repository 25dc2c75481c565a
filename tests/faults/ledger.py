"""What the clients of a campaign were told, kept to be compared with the log afterwards."""

from collections import Counter
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that appends: what is sent, where, by whom, under which key, and who acts by it.

    `actor` is as the log names it: `seat:0`, `host`.
    """

    path: str
    body: Any
    token: str
    key: str
    actor: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A request that was answered with success.

    `version` and `hash` are the chain head right after it, and `events` is how many entries it brought about.
    """

    asked: Asked
    game: str
    version: int
    hash: str
    events: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that was answered with a refusal: nothing of it may be in the log."""

    asked: Asked
    game: str


def command_id(asked: Asked) -> str:
    """What the store remembers an applied request by."""
    return f"{asked.actor}:key-{asked.key}"


@dataclass
class Tally:
    """What happened so far; the difference of two is what happened in between.

    `given_up` counts acknowledged requests that an operator has given up after a loss that was told. `answers` counts
    what requests got: a status with its code, or the name of an error where there was no answer.
    """

    acknowledged: int = 0
    replayed: int = 0
    given_up: int = 0
    answers: Counter[str] = field(default_factory=Counter)

    def since(self, before: "Tally") -> "Tally":
        """What happened after an earlier tally."""
        return Tally(
            self.acknowledged - before.acknowledged,
            self.replayed - before.replayed,
            self.given_up - before.given_up,
            self.answers - before.answers,
        )


class Ledger:
    """Everything all clients were told; safe for many threads.

    Attributes:
        given_up: the games whose end was lost and given up.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lock = Lock()
        self._acknowledged: list[Acknowledged] = []
        self._refused: list[Refused] = []
        self._findings: list[str] = []
        self._tally = Tally()
        self._longest = 0.0
        self.given_up: set[str] = set()

    def acknowledge(self, answered: Acknowledged, *, replayed: bool) -> None:
        """Keep a success; `replayed` says that it is the repeated answer of an attempt whose own answer was lost."""
        with self._lock:
            self._acknowledged.append(answered)
            self._tally.acknowledged += 1
            self._tally.replayed += replayed

    def give_up(self, game: str, version: int) -> None:
        """Expect no more that what was acknowledged of a game after this version is there."""
        with self._lock:
            left = [each for each in self._acknowledged if each.game != game or each.version <= version]
            self._tally.given_up += len(self._acknowledged) - len(left)
            self._acknowledged = left
            self.given_up.add(game)

    def refuse(self, refused: Refused) -> None:
        """Keep a refusal."""
        with self._lock:
            self._refused.append(refused)

    def answer(self, kind: str, seconds: float) -> None:
        """Count one attempt at a request, and how long its answer took."""
        with self._lock:
            self._tally.answers[kind] += 1
            self._longest = max(self._longest, seconds)

    def find(self, finding: str) -> None:
        """Keep something that must not be."""
        with self._lock:
            self._findings.append(finding)

    def tally(self) -> Tally:
        """The counts of now."""
        with self._lock:
            return replace(self._tally, answers=Counter(self._tally.answers))

    def longest_answer(self) -> float:
        """Seconds that the slowest answer took since this was asked last."""
        with self._lock:
            longest, self._longest = self._longest, 0.0
            return longest

    @property
    def acknowledged(self) -> list[Acknowledged]:
        """All successes so far."""
        with self._lock:
            return list(self._acknowledged)

    @property
    def refused(self) -> list[Refused]:
        """All refusals so far."""
        with self._lock:
            return list(self._refused)

    @property
    def findings(self) -> list[str]:
        """All that must not be, so far."""
        with self._lock:
            return list(self._findings)
