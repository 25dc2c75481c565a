"""The application that uvicorn and granian serve: an answer, a body that is read, and a stream that stays open."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

BODY: Final = b'{"status":"ok"}'
JSON: Final = [(b"content-type", b"application/json"), (b"content-length", str(len(BODY)).encode())]
STREAM: Final = [(b"content-type", b"text/event-stream")]
HEARTBEAT_SECONDS: Final = 15.0


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer one request (the ASGI specification, version 3)."""
    if scope["type"] != "http":
        return
    if scope["path"] != "/stream":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": JSON})
        await send({"type": "http.response.body", "body": BODY})
        return
    await send({"type": "http.response.start", "status": 200, "headers": STREAM})
    while True:
        await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
        await asyncio.sleep(HEARTBEAT_SECONDS)
