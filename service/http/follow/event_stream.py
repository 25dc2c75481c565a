"""A game as server-sent events (WHATWG HTML, 9.2): the table as it stands, what happens, and who is there.

The id of an event is its cursor, and the view has the cursor of the version that it shows: a client that comes back
with `Last-Event-ID` misses nothing, and hears of it when the log does not go on from there.
"""

from functools import partial

from flask import Response, g, request

from events.game.table import Table
from service.http.context.callers import Viewpoint
from service.http.context.cursors import Cursor, cursor_at, with_own_hash
from service.http.context.services import services
from service.http.follow.detaching import accept_offer
from service.http.follow.followed_game import FollowedGame
from service.http.follow.freshness import no_place
from service.http.follow.subscription import Subscription
from service.http.messages.event_forms import EVENT_STREAM


def open_stream(
    seen: Viewpoint, given: Cursor | None, *, view: bool | None, language: str | None = None
) -> Response:
    """The stream of what a caller may see, from after a cursor or from now on; 204 once there is nothing more.

    It begins with a `view` where one is asked for or, unless it is refused, where no cursor is given.
    With a language each event has its sentence.

    Raises:
        Problem: 503 when as many streams are open as there may be.
        StoreUnavailable, StoreDamaged
    """
    loaded, table = seen.loaded, seen.table
    if table.state.status == "finished" and given is not None and given.version == table.version:
        return Response(status=204)
    if request.method == "HEAD":
        return _answer(Response(iter(())))
    first_seen = view or (view is None and given is None)
    begun = given or (cursor_at(table.version, table.hash) if first_seen else Cursor(0))
    after = with_own_hash(loaded, begun)
    # What cannot be read is refused before the stream begins.
    services().store.read(table.game, after.version, 1)
    shown = None
    if first_seen and after.version:
        shown = services().tables.at(loaded, after.version)
    outbox = services().streams.begin()
    if outbox is None:
        raise no_place()
    return _begun(seen, Subscription(seen, after, language, outbox), shown)


def _begun(seen: Viewpoint, stream: Subscription, shown: Table | None) -> Response:
    """The answer whose stream has begun; it ends when the answer is closed, by whoever sends it."""
    found, outbox, name = services(), stream.outbox, seen.table.game
    response = _answer(Response(outbox.parts()))
    response.call_on_close(lambda: found.streams.finish(outbox))
    try:
        game = found.streams.follow(name, partial(FollowedGame, found, seen.table))
        response.call_on_close(lambda: found.streams.leave(name))
        response.call_on_close(lambda: game.leave(stream))
        outbox.emptied = lambda: (
            found.streams.later(game, lambda: game.fill(stream)) if stream.may_fill() else None
        )
        game.begin(stream, seen, shown)
    except BaseException:
        response.close()
        raise
    accept_offer(outbox)
    g.stream = outbox
    return response


def _answer(response: Response) -> Response:
    response.content_type = EVENT_STREAM
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
