"""Server-sent events read in this process, frame by frame, by the rules of WHATWG HTML, 9.2.6."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from tests.service.in_process import InProcess

NO_EVENTS = {"", "view", "presence", "dispute", "clock"}
"""The names of frames that are no events of the log, but for `end`."""


class Frame(NamedTuple):
    """One block of a stream: an event, or a comment."""

    id: str
    event: str
    data: str
    comment: str

    @property
    def version(self) -> int:
        """The version in the id; 0 where there is no id."""
        return int(self.id.partition("-")[0] or 0)

    @property
    def json(self) -> Any:
        """The data as a JSON value."""
        return json.loads(self.data)


class EventStream:
    """An open stream of a game's events."""

    def __init__(self, api: InProcess, game: str, query: str = "", token: str = "", last: str = "") -> None:
        """Ask for it; `last` is sent as Last-Event-ID."""
        headers = {"Accept": "text/event-stream"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if last:
            headers["Last-Event-ID"] = last
        self._answer = api.app.test_client().get(f"/v1/games/{game}/events{query}", headers=headers)
        self.status = self._answer.status_code
        self.headers = self._answer.headers
        self._frames = self._read()

    def _read(self) -> Iterator[Frame]:
        rest = b""
        for chunk in self._answer.iter_encoded():
            *blocks, rest = (rest + chunk).split(b"\n\n")
            for block in blocks:
                yield parsed(block.decode())
        assert not rest

    def __enter__(self) -> Self:
        """Return the open stream."""
        return self

    def __exit__(self, *_: object) -> None:
        """Go away as a client does."""
        self._answer.close()

    def __iter__(self) -> Iterator[Frame]:
        """Return what is left, block by block, up to the stream's end."""
        return self._frames

    def next(self) -> Frame:
        """The next block; waits for it."""
        return next(self._frames)

    def named(self, name: str) -> Frame:
        """The next frame of this name."""
        return next(frame for frame in self._frames if frame.event == name)

    def event(self) -> Frame:
        """The next event of the log; the view, who is there and comments are passed over."""
        return next(frame for frame in self._frames if frame.event not in NO_EVENTS)

    def rest(self) -> list[Frame]:
        """Every event of the log up to the stream's end, and `end`."""
        return [frame for frame in self._frames if frame.event not in NO_EVENTS]


def parsed(block: str) -> Frame:
    """One block of a stream."""
    found = {"id": "", "event": "", "data": "", "": ""}
    for line in block.split("\n"):
        name, _, value = line.partition(":")
        found[name] = value.removeprefix(" ")
    return Frame(found["id"], found["event"], found["data"], found[""])
