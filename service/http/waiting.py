"""Holding an answer back until a game has moved on."""

from collections.abc import Callable

from flask import request

from service.http.problems import Problem
from service.http.services import services
from service.http.streams import gone_at
from service.tables import Sitting


def waited(sitting: Sitting, seconds: int, seat: int | None) -> Sitting:
    """The game once it has moved on from here, or as it stands after so many seconds.

    A seat, or a spectator, counts as present for as long.

    Raises:
        Problem: 503 when all places for waiting are taken.
    """
    game = sitting.table.game
    with services().streams.watch(game) as place:
        if not place:
            raise no_place()
        newest = services().tables.newest(game)
        if newest.table.version != sitting.table.version:
            return newest
        with services().presence.following(game, seat):
            services().streams.wait(game, newest.table.version, seconds, is_gone())
        return services().tables.newest(game)


def is_gone() -> Callable[[], bool]:
    """What tells whether the client of this request has gone away."""
    return gone_at(request.environ.get("gunicorn.socket"))


def no_place() -> Problem:
    """The answer where as many streams and long polls are open as there may be."""
    detail = "As many streams are open as this process holds; try again, or read pages with 'after'."
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
