"""Holding an answer back until a game has moved on."""

import select
import socket
import time
from collections.abc import Callable

from flask import request

from service.http.callers import Viewpoint
from service.http.problems import Problem
from service.http.services import services


def wait_for_news(seen: Viewpoint, seconds: int) -> None:
    """Wait until the caller may see more of a game than this, so many seconds at most.

    Spectators who are behind wait for several moves. A seat, or a spectator, counts as present for as long. The
    caller is to be admitted anew afterwards: a token may have been revoked meanwhile.

    Raises:
        Problem: 503 when all places for waiting are taken.
        GameNotFound
    """
    game, ends = seen.table.game, time.monotonic() + seconds
    found, gone = services(), gone_at(request.environ.get("gunicorn.socket"))
    with found.news.watch(game) as place:
        if not place:
            raise no_place()
        now = seen.moved(found)
        with found.presence.following(game, seen.caller.seat):
            while now.table.hash == seen.table.hash and (left := ends - time.monotonic()) > 0:
                found.news.wait(game, now.log_version, left, gone)
                if gone():
                    break
                now = now.moved(found)


def gone_at(connection: socket.socket | None) -> Callable[[], bool]:
    """What tells whether the client at the other end has closed this connection; never where there is none."""

    def is_gone() -> bool:
        if connection is None:
            return False
        watching = select.poll()
        watching.register(connection, select.POLLIN)
        try:
            return bool(watching.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    return is_gone


def no_place() -> Problem:
    """The answer where as many streams, or long polls, are open as there may be."""
    detail = (
        "As many streams or long polls are open as this process holds; try again, or read pages with 'after'."
    )
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
