"""Expiries: somebody asks that time which is over is recorded."""

from typing import Any

from flask import Response

from events.game.timekeeping import find_over
from events.log.disclosure import PUBLIC
from service.http.context.callers import Caller, Viewpoint, view_as
from service.http.context.services import services
from service.http.contract.access import WITNESSES
from service.http.contract.headers import ENTITY_TAG
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import APPENDING, of
from service.http.follow.narration import narrated_events
from service.http.messages.bodies import headers_for, json_response
from service.http.messages.problems import Problem, from_refusal
from service.platform.clock import now_milliseconds
from service.play.deciding import Refused
from service.play.timekeeping import earliest

blueprint = Resource("expiries", __name__, url_prefix="/v1/games", description="Clocks")


@blueprint.post("/<string:game>/expiries")
@Operation(
    WITNESSES,
    "ExpiriesAnswer",
    APPENDING
    | of(403, "game_not_finished")
    | of(422, "no_clock", "nothing_expired", "log_full")
    | of(503, "time_uncertain"),
    gives=(ENTITY_TAG,),
    links={"look": Link("show_table", SAME_GAME, "The table after it.")},
)
def record_expiries(game: str, caller: Caller) -> Response:
    """Have whatever time is over recorded, and what follows from that; the service does so by itself, too.

    A seat that is not waited for long enough yet is left alone: the problem says until when.
    """
    seen = view_as(caller)
    if caller.delay and seen.table.state.status != "finished":
        detail = "You see this game later than it is played: the service and the seats record what is over."
        raise Problem(403, "game_not_finished", detail)
    if seen.table.log.clock is None:
        raise Problem(422, "no_clock", "This game is played without a clock.")
    try:
        outcome = services().handling.record_time(game, now_milliseconds())
    except Refused as refused:
        raise from_refusal(refused, PUBLIC, seen.table) from refused
    if not outcome.entries:
        raise _nothing_expired(seen)
    version, chain_head = outcome.head
    answer: dict[str, Any] = {
        "game": game,
        "version": version,
        "hash": chain_head,
        "recorded": outcome.applied,
        "events": narrated_events(outcome.loaded, outcome.disclosures, seen.viewer, None),
    }
    return json_response(answer, headers=headers_for(version, chain_head, seen.viewer))


def _nothing_expired(seen: Viewpoint) -> Problem:
    clock = seen.table.log.clock
    found = earliest(clock)
    if clock is None or found is None:
        detail = "The game waits for nobody who has a clock."
        return Problem(422, "nothing_expired", detail, seat=None, deadline=None, over_at=None)
    over_at, wait = found
    seat = wait.awaited.seat
    is_over = find_over(clock, now_milliseconds(), seat) is not None
    detail = (
        f"The time of seat {seat} is over at {wait.deadline} (milliseconds since the epoch); with the grace"
        + (
            " it is, and that was recorded meanwhile."
            if is_over
            else f", that may be recorded from {over_at} on."
        )
    )
    return Problem(422, "nothing_expired", detail, seat=seat, deadline=wait.deadline, over_at=over_at)
