"""Annotations at a service: what stands, one entry more, and whole files."""

from collections.abc import Mapping
from typing import Any

import msgspec

from replay.client.answer import Answer
from replay.client.answers import Page
from replay.client.transport import Transport, once

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


class _AnnotationsPage(Page, frozen=True):
    annotations: tuple[StandingAnnotation, ...]


class _ImportedSet(Answer, frozen=True):
    set: str
    added: int


class _Imported(Answer, frozen=True):
    sets: tuple[_ImportedSet, ...]


class GameAnnotations:
    """The annotations of one game, as the holder of a token sees and writes them."""

    def __init__(self, transport: Transport, game: str) -> None:
        """Use `Fieldbook.annotations`."""
        self._transport = transport
        self._path = f"/v1/games/{game}/annotations"

    def all(self, **filters: str | int | bool) -> list[StandingAnnotation]:
        """What stands, by version; filters are `version`, `author`, `set` and `history`."""
        asked = {name: "true" if value is True else value for name, value in filters.items()}
        pages = self._transport.pages(self._path, _AnnotationsPage, asked, "after")
        return [each for page in pages for each in page.annotations]

    def write(self, kind: str, *, key: str | None = None, **members: Any) -> WrittenAnnotation:
        """Write an entry: `note`, `reply`, `edit`, `withdrawal` or `publication`, with the members of its kind."""
        return self._transport.send("POST", self._path, WrittenAnnotation, {"kind": kind, **members}, key)

    def export_file(self) -> bytes:
        """The file of all sets that the caller sees."""
        return self._transport.fetch(self._path, NDJSON)

    def import_file(self, file: bytes) -> dict[str, int]:
        """Import a file; returns how many entries of each set were new. Sent again it changes nothing."""
        # Named like other requests, so that it is repeated until it is answered.
        headers = {**once(), "Content-Type": NDJSON}
        reply = self._transport.request("POST", f"{self._path}/imports", file, headers)
        return {each.set: each.added for each in self._transport.decode(reply, _Imported).sets}
