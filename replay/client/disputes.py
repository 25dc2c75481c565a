"""Disputes at a service: the queue, the cases of a game, and every step of one."""

from collections.abc import Iterator, Mapping
from typing import Any

from replay.client.answer import Answer
from replay.client.answers import Page
from replay.client.transport import Transport


class Person(Answer, frozen=True):
    """Somebody: `seat:0` and so on, the id of a key, or `fieldbook`; and what they are called."""

    who: str
    name: str


class QueuedCase(Answer, frozen=True):
    """A case that has not ended, as the queue has it; times are in milliseconds since the epoch."""

    game: str
    dispute: int
    status: str
    reason: str
    version: int
    opened: int
    opener: str
    until: int | None
    arbiter: str | None
    arbiter_name: str | None = None


class Ruling(Answer, frozen=True):
    """A ruling as it was given."""

    by: Person
    at: int
    kind: str
    scope: str
    reason: str
    until: int
    to_version: int | None
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class CaseEvent(Answer, frozen=True):
    """One entry of a case."""

    number: int
    type: str
    at: int
    by: Person
    data: dict[str, Any]
    hash: str


class Case(Answer, frozen=True):
    """A case as it stands, with what happened in it."""

    game: str
    dispute: int
    status: str
    possible: tuple[str, ...]
    until: int | None
    reason: str
    text: str
    version: int
    hash: str
    pause: bool
    opener: Person
    opened: int
    arbiter: Person | None
    rulings: tuple[Ruling, ...]
    accepted: tuple[str, ...]
    appellant: Person | None
    appeal: str
    ending: dict[str, Any] | None
    pack: str | None
    pack_due: bool
    awaited: tuple[str, ...] = ()
    events: tuple[CaseEvent, ...] = ()


class CaseStep(Answer, frozen=True):
    """Where a case stands after a step."""

    game: str
    dispute: int
    status: str
    number: int
    hash: str


class QueuePage(Page, frozen=True):
    """A page of the queue."""

    disputes: tuple[QueuedCase, ...]


class DisputesOfGame(Answer, frozen=True):
    """The cases of a game."""

    disputes: tuple[Case, ...]


class Disputes:
    """The disputes of a service, as the holder of a token sees them. Every method may raise a Problem."""

    def __init__(self, transport: Transport) -> None:
        """Use `Fieldbook.disputes`."""
        self._transport = transport

    def queue(self, **filters: str | None) -> Iterator[QueuedCase]:
        """The cases of all games that have not ended, oldest first.

        Filters are `status`, `reason`, `game` and `older_than`.
        """
        for page in self._transport.pages("/v1/disputes", QueuePage, filters):
            yield from page.disputes

    def of(self, game: str) -> tuple[Case, ...]:
        """The cases of a game."""
        return self._transport.read(f"/v1/games/{game}/disputes", DisputesOfGame).disputes

    def case(self, game: str, number: int) -> Case:
        """One case with everything that happened in it."""
        return self._transport.read(f"/v1/games/{game}/disputes/{number}", Case)

    def open(self, game: str, version: int, reason: str, text: str, *, pause: bool = False) -> CaseStep:
        """Dispute a version of a game."""
        body = {"version": version, "reason": reason, "text": text, "pause": pause}
        return self._transport.send("POST", f"/v1/games/{game}/disputes", CaseStep, body)

    def take(self, game: str, number: int, step: str, body: Mapping[str, Any] | None = None) -> CaseStep:
        """A step of a case: `evidence`, `withdrawal`, `resumption`, `claim`, `rulings`, `acceptance` or `appeal`."""
        return self._transport.send("POST", f"/v1/games/{game}/disputes/{number}/{step}", CaseStep, body)

    def release(self, game: str, number: int) -> CaseStep:
        """Leave a case that was claimed to other arbiters."""
        return self._transport.send("DELETE", f"/v1/games/{game}/disputes/{number}/claim", CaseStep)

    def preview(self, game: str, number: int, ruling: Mapping[str, Any]) -> dict[str, Any]:
        """What a ruling would change, without giving it."""
        path = f"/v1/games/{game}/disputes/{number}/previews"
        return self._transport.send("POST", path, dict[str, Any], ruling)

    def evidence_pack(self, game: str, number: int, media_type: str = "application/json") -> bytes:
        """The newest evidence pack of a case, in this form; as JSON it is what its hash is over."""
        path = f"/v1/games/{game}/disputes/{number}/evidence-pack"
        return self._transport.fetch(path, media_type)
