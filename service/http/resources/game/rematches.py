"""Rematches: a table again with the same people, seats moved on by one."""

from typing import Any

from flask import Response

from events.log.disclosure import PUBLIC
from service.http.context.callers import Caller
from service.http.context.rematches import set_up, sit_down
from service.http.context.services import services
from service.http.contract.access import INSIDERS
from service.http.contract.headers import LOCATION
from service.http.contract.operation import GAME, Link, Operation, Resource
from service.http.contract.problems import APPENDING, COUNTED, LOG, of
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem, from_not_played, from_refusal
from service.platform.clock import now_milliseconds
from service.play.deciding import Refused
from service.play.lobby import NotPlayed

blueprint = Resource("rematches", __name__, url_prefix="/v1/games", description="Games")


@blueprint.post("/<string:game>/rematch")
@Operation(
    INSIDERS,
    "RematchAnswer",
    LOG
    | APPENDING
    | COUNTED
    | of(403, "game_not_finished")
    | of(409, "too_many_games")
    | of(422, "unknown_catalogue", "bad_name", "game_started_already", "seat_occupied")
    | of(503, "store_nearly_full"),
    status=201,
    gives=(LOCATION,),
    links={"look": Link("show_table", GAME, "The new table.")},
)
def ask_rematch(game: str, caller: Caller) -> Response:
    """Play a finished game again, with the same people, bots, options and clock; everybody moves on by one seat.

    Each seat asks with its old token and gets the one of its new seat; whoever asks first sets the table up, and the
    game begins when all have asked. Who has asked before gets the same answer. The key that set the game up sets the
    table up, and takes no seat.
    """
    table = services().tables.newest(game).table
    if table.state.status != "finished":
        raise Problem(403, "game_not_finished", "A game is played again when it has finished.")
    now = now_milliseconds()
    try:
        outcome = set_up(table, caller.policy, now)
        new = outcome.loaded.table.game
        taken: dict[str, Any] = {"seat": None, "token": None}
        if caller.seat is not None:
            outcome, seat, token = sit_down(new, table, caller.seat, now)
            taken = {"seat": seat, "token": token}
    except NotPlayed as not_played:
        raise from_not_played(not_played) from not_played
    except Refused as refused:
        raise from_refusal(refused, PUBLIC) from refused
    state = services().tables.newest(new).table.state
    answer = {
        "game": new,
        "previous": game,
        "status": state.status,
        **taken,
        "waiting_for": [number for number, each in enumerate(state.seats) if not each.kind],
    }
    return json_response(answer, 201, {"Location": f"/v1/games/{new}"})
