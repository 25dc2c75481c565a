"""Annotations at a service: what stands, one entry more, and whole files."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import msgspec

from replay.client.transport import Transport

NDJSON = "application/x-ndjson"


class WrittenAnnotation(msgspec.Struct, frozen=True):
    """Where an entry stands."""

    game: str
    set: str
    number: int
    hash: str


class StandingAnnotation(msgspec.Struct, frozen=True):
    """A note or reply as it stands; times are in milliseconds since the epoch."""

    set: str
    number: int
    hash: str
    kind: str
    version: int
    author: Mapping[str, Any]
    at: int
    edited: int | None
    withdrawn: int | None
    says: Mapping[str, Any]
    history: tuple[Mapping[str, Any], ...] = ()


class _Page(msgspec.Struct, frozen=True):
    annotations: tuple[StandingAnnotation, ...]
    next: str | None


class GameAnnotations:
    """The annotations of one game, as the holder of a token sees and writes them."""

    def __init__(self, transport: Transport, game: str) -> None:
        """Use `Fieldbook.annotations`."""
        self._transport = transport
        self._path = f"/v1/games/{game}/annotations"

    def all(self, **filters: str | int | bool) -> list[StandingAnnotation]:
        """What stands, by version; filters are `version`, `author`, `set` and `history`."""
        query_filters = {
            name: str(value).lower() if value is True else value for name, value in filters.items()
        }
        found: list[StandingAnnotation] = []
        after: str | None = None
        while True:
            query = urlencode({**query_filters, **({"after": after} if after else {})})
            reply = self._transport.request("GET", f"{self._path}?{query}")
            page = msgspec.json.decode(reply.body, type=_Page)
            found += page.annotations
            after = page.next
            if after is None:
                return found

    def write(self, kind: str, *, key: str | None = None, **members: Any) -> WrittenAnnotation:
        """Write an entry: `note`, `reply`, `edit`, `withdrawal` or `publication`, with the members of its kind."""
        reply = self._transport.send("POST", self._path, {"kind": kind, **members}, key)
        return msgspec.json.decode(reply, type=WrittenAnnotation)

    def export_file(self) -> bytes:
        """The file of all sets that the caller sees."""
        return self._transport.request("GET", self._path, headers={"Accept": NDJSON}).body

    def import_file(self, file: bytes) -> dict[str, int]:
        """Import a file; returns how many entries of each set were new. Sent again it changes nothing."""
        # Named like other requests, so that it is repeated until it is answered.
        headers = {"Idempotency-Key": f'"{uuid4().hex}"', "Content-Type": NDJSON}
        reply = self._transport.request("POST", f"{self._path}/imports", file, headers)
        sets = msgspec.json.decode(reply.body)["sets"]
        return {each["set"]: each["added"] for each in sets}
