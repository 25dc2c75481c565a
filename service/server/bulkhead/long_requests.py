"""Which requests take long: those that read, fold or draw whole games, and change nothing."""

import re
from collections.abc import Mapping
from typing import Any, Final

_WHOLE: Final = re.compile(
    r"(GET|HEAD) /v1/games/[^/]+/(record|history|take-backs|disputes/[^/]+/evidence-pack)"
    r"|(GET|HEAD) (/games/[^/]+/page\.html|/v1/exports/games|/v1/dataset)"
    r"|POST /v1/(games/[^/]+/branches|verifications)"
)
"""What reads a whole game, or many, however it is asked for."""
_AT_CHOICE: Final = re.compile(
    r"(GET|HEAD) /v1/games/[^/]+(/scene)?\?(.*&)?(at|knowledge)=.*"
    r"|(GET|HEAD) /v1/games/[^/]+/(events|annotations)\?(.*&)?text=.*"
)
"""What does so where it is asked for something that has been, or for the sentences of all of it."""
_WAITS: Final = re.compile(r"\?(.*&)?wait=")


def takes_long(scope: Mapping[str, Any]) -> bool:
    """Whether the request that this scope of ASGI describes belongs behind the bulkhead.

    One that waits for news stays where it is, as streams do: they take no time of anybody's while they wait.
    """
    path = scope["raw_path"].decode("latin-1")
    asked = f"{scope['method']} {path}"
    if _WHOLE.fullmatch(asked):
        return True
    asked = f"{asked}?{scope['query_string'].decode('latin-1')}"
    return bool(_AT_CHOICE.fullmatch(asked)) and not (_WAITS.search(asked) or _wants_stream(scope["headers"]))


def _wants_stream(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name == b"accept" and b"text/event-stream" in value.lower() for name, value in headers)
