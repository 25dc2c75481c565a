"""Disputes at a service: the queue, the cases of a game, and every step of one."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from replay.client.answers import Answer
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
    events: tuple[CaseEvent, ...] = ()


class CaseStep(Answer, frozen=True):
    """Where a case stands after a step."""

    game: str
    dispute: int
    status: str
    number: int
    hash: str


class _Page(msgspec.Struct, frozen=True):
    disputes: tuple[QueuedCase, ...]
    next: str | None


class Disputes:
    """The disputes of a service, as the holder of a token sees them. Every method may raise a Problem."""

    def __init__(self, transport: Transport) -> None:
        """Use `Fieldbook.disputes`."""
        self._transport = transport

    def queue(self, **filters: str | None) -> Iterator[QueuedCase]:
        """The cases of all games that have not ended, oldest first.

        Filters are `status`, `reason`, `game` and `older_than`.
        """
        asked = {name: value for name, value in filters.items() if value is not None}
        while True:
            reply = self._transport.request("GET", f"/v1/disputes?{urlencode(asked)}")
            page = msgspec.json.decode(reply.body, type=_Page)
            yield from page.disputes
            if page.next is None:
                return
            asked["cursor"] = page.next

    def of(self, game: str) -> tuple[Case, ...]:
        """The cases of a game."""
        reply = self._transport.request("GET", f"/v1/games/{game}/disputes")
        found: tuple[Case, ...] = msgspec.convert(
            msgspec.json.decode(reply.body)["disputes"], type=tuple[Case, ...]
        )
        return found

    def case(self, game: str, number: int) -> Case:
        """One case with everything that happened in it."""
        reply = self._transport.request("GET", f"/v1/games/{game}/disputes/{number}")
        return msgspec.json.decode(reply.body, type=Case)

    def open(self, game: str, version: int, reason: str, text: str, *, pause: bool = False) -> CaseStep:
        """Dispute a version of a game."""
        body = {"version": version, "reason": reason, "text": text, "pause": pause}
        return self._step("POST", f"/v1/games/{game}/disputes", body)

    def take(self, game: str, number: int, step: str, body: Mapping[str, Any] | None = None) -> CaseStep:
        """A step of a case: `evidence`, `withdrawal`, `claim`, `rulings`, `acceptance` or `appeal`."""
        return self._step("POST", f"/v1/games/{game}/disputes/{number}/{step}", body)

    def release(self, game: str, number: int) -> CaseStep:
        """Leave a case that was claimed to other arbiters."""
        return self._step("DELETE", f"/v1/games/{game}/disputes/{number}/claim", None)

    def preview(self, game: str, number: int, ruling: Mapping[str, Any]) -> dict[str, Any]:
        """What a ruling would change, without giving it."""
        path = f"/v1/games/{game}/disputes/{number}/previews"
        found: dict[str, Any] = msgspec.json.decode(self._transport.send("POST", path, ruling))
        return found

    def evidence_pack(self, game: str, number: int, media_type: str = "application/json") -> bytes:
        """The newest evidence pack of a case, in this form; as JSON it is what its hash is over."""
        path = f"/v1/games/{game}/disputes/{number}/evidence-pack"
        return self._transport.request("GET", path, headers={"Accept": media_type}).body

    def _step(self, method: str, path: str, body: Mapping[str, Any] | None) -> CaseStep:
        return msgspec.json.decode(self._transport.send(method, path, body), type=CaseStep)
