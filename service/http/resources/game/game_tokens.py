"""Tokens of a game that are given out while it stands: to spectators, and to a seat that lost its own."""

from typing import Any

import msgspec
from flask import Response

from events.log.actors import actor_name
from events.rules.table.absence import PEOPLE
from service.access.game_tokens import MOST_OF_SEAT, MOST_SPECTATORS, TooManyReplacements, TooManySpectators
from service.http.context.acts import note
from service.http.context.callers import Caller, Host
from service.http.context.identity import request_id
from service.http.context.services import services
from service.http.contract.access import HOSTS, INSIDERS
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import LOG, of
from service.http.contract.request_headers import KEY, KEY_ALONE
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.schemas.keys import (
    NewSpectatorRequest,
)
from service.platform.clock import now_milliseconds

blueprint = Resource("tokens", __name__, url_prefix="/v1/games", description="Tokens of a game")


@blueprint.get("/<string:game>/spectators")
@Operation(INSIDERS, "SpectatorsAnswer")
def list_spectators(game: str) -> Response:
    """List the spectators whose tokens are good; for the seats, the creator and operators."""
    spectators = services().game_tokens.spectators(game)
    return json_response({"game": game, "spectators": spectators})


@blueprint.post("/<string:game>/spectators")
@Operation(
    INSIDERS,
    "NewSpectatorAnswer",
    of(422, "too_many_spectators"),
    status=201,
    takes=(KEY,),
    links={
        "dismiss": Link(
            "dismiss_spectator",
            {**SAME_GAME, "spectator": "$response.body#/spectator"},
            "Revoke the token.",
        )
    },
)
@blueprint.arguments(NewSpectatorRequest)
def add_spectator(wanted: dict[str, Any], caller: Caller, game: str) -> Response:
    """Give a spectator a token, which is not shown again: a private game can be watched and joined with it."""
    named = request_id()
    try:
        token, spectator, known = services().game_tokens.invite(
            game, wanted["name"], giver=_name(caller), at=now_milliseconds(), request=named
        )
    except TooManySpectators:
        detail = (
            f"A game has at most {MOST_SPECTATORS} spectators' tokens, and a seat gives at most {MOST_OF_SEAT} of"
            " them: revoke one, or ask who set the game up for more."
        )
        raise Problem(422, "too_many_spectators", detail) from None
    answer = {"game": game, **msgspec.to_builtins(spectator), "token": token}
    return json_response(answer, 201, is_known=known)


@blueprint.delete("/<string:game>/spectators/<string:spectator>")
@Operation(INSIDERS, "DismissedAnswer", of(403, "not_your_spectator"))
def dismiss_spectator(game: str, spectator: str, caller: Caller) -> Response:
    """Revoke a spectator's token; for whoever gave it, the creator and operators."""
    given_by = {each.spectator: each.given_by for each in services().game_tokens.spectators(game)}
    if not caller.is_host and given_by.get(spectator, _name(caller)) != _name(caller):
        raise Problem(403, "not_your_spectator", "Another seat gave this spectator its token.")
    services().game_tokens.dismiss(game, spectator)
    return json_response({"game": game, "spectator": spectator})


@blueprint.post("/<string:game>/seats/<string:seat>/token")
@Operation(
    HOSTS,
    "SeatTokenAnswer",
    LOG
    | of(403, "operator_required")
    | of(404, "no_such_seat")
    | of(422, "no_person_there", "too_many_replacements"),
    status=201,
    takes=(KEY_ALONE,),
    links={"choose": Link("list_legal_commands", SAME_GAME, "Go on with it.")},
)
def replace_seat_token(game: str, seat: str, host: Host) -> Response:
    """Replace a lost or leaked token; what the seat had before is refused from now on.

    For operators and, of the seats whose tokens it was given when it set the game up, the game's creator: nobody
    gets hold of a seat that somebody else has taken.
    """
    named = request_id()
    number = _require_taken_seat(game, seat)
    if not host.key.is_operator and number not in host.policy.filled:
        detail = "A player took this seat; only an operator can replace its token."
        raise Problem(403, "operator_required", detail)
    try:
        token = services().game_tokens.replace_seat_token(
            game, number, named, lambda: note(host.key, "seat_token_replaced", game, actor_name(number))
        )
    except TooManyReplacements:
        detail = (
            "The tokens of this game were replaced as often as they may be; play on with those that are good."
        )
        raise Problem(422, "too_many_replacements", detail) from None
    return json_response({"game": game, "seat": number, "token": token}, 201)


def _name(caller: Caller) -> str:
    """Who gives a token: a seat, or a key by its id."""
    if caller.key is not None:
        return caller.key.id
    return actor_name(caller.seat) if caller.seat is not None else ""


def _require_taken_seat(game: str, seat: str) -> int:
    seats = services().tables.newest(game).table.state.seats
    if not (seat.isascii() and seat.isdigit() and len(seat) == 1 and int(seat) < len(seats)):
        raise Problem(404, "no_such_seat", f"This game has seats 0 to {len(seats) - 1}.")
    taken = seats[int(seat)]
    if (taken.away or taken.kind) not in PEOPLE:
        raise Problem(422, "no_person_there", "Nobody with a token has taken this seat.")
    return int(seat)
