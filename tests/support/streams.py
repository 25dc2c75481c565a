"""Reading a stream of server-sent events of a game."""

import json
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Final, NamedTuple

LOST: Final = "history_lost"
END: Final = "end"
_WITHOUT_EVENT: Final = frozenset({"clock", "presence"})


class StreamEvent(NamedTuple):
    """An event of a stream; `at` is when it was recorded, in milliseconds since the epoch."""

    version: int
    hash: str
    at: int


def events_in(answer: HTTPResponse) -> Iterator[StreamEvent | str]:
    """Yield the events of a stream, and the names of the frames that end it."""
    version, kind = 0, ""
    for raw in answer:
        if not raw.endswith(b"\n"):
            return  # cut off in the middle of a line
        name, _, value = raw.decode().rstrip("\r\n").partition(": ")
        if name == "id":
            version = int(value.partition("-")[0])
        elif name == "event":
            kind = value
        elif name == "data" and kind in {LOST, END}:
            yield kind
        elif name == "data" and kind not in _WITHOUT_EVENT:
            event = json.loads(value)
            yield StreamEvent(version, event["hash"], event["entry"]["at"])
