"""Tokens of a game that are given out while it stands: to spectators, and to a seat that lost its own."""

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.actors import actor_name
from service.clock import now_milliseconds
from service.game_tokens import TooManySpectators
from service.http.acts import note
from service.http.asking import asked_first
from service.http.bearers import CHALLENGE
from service.http.bodies import json_response
from service.http.callers import Caller, admitted
from service.http.identity import request_id
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.keys import (
    DismissedAnswer,
    NewSpectatorAnswer,
    NewSpectatorRequest,
    SeatTokenAnswer,
    SpectatorsAnswer,
)
from service.http.schemas.requests import NoQuery
from service.http.services import services

blueprint = Blueprint("tokens", __name__, url_prefix="/v1/games", description="Tokens of a game")
blueprint.ARGUMENTS_PARSER = Parser()


def _insider(game: str) -> Caller:
    caller = _sender(game)
    if caller.seat is None and not caller.is_host:
        detail = "This is for the game's seats, for the key that set it up, and for operators."
        raise Problem(403, "insider_required", detail)
    return caller


def _sender(game: str) -> Caller:
    """Who asks about this game, with a token of whatever kind."""
    caller = admitted(game)
    if caller.key is None and caller.sender.field is None:
        detail = "This needs a token: send it as 'Authorization: Bearer <token>'."
        raise Problem(401, "token_required", detail, headers=CHALLENGE)
    return caller


@blueprint.route("/<string:game>/spectators")
class SpectatorsView(MethodView):
    """The spectators of a game who were given tokens."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, SpectatorsAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """List the spectators whose tokens are good; for the seats, the creator and operators."""
        _insider(game)
        spectators = msgspec.to_builtins(services().game_tokens.spectators(game))
        return json_response({"game": game, "spectators": spectators})

    @asked_first(caller=_insider)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(NewSpectatorRequest)
    @blueprint.response(201, NewSpectatorAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any], caller: Caller, game: str) -> Response:
        """Give a spectator a token, which is not shown again: a private game can be watched and joined with it."""
        named = request_id()
        try:
            token, spectator, known = services().game_tokens.invite(
                game, wanted["name"], giver=_name(caller), at=now_milliseconds(), request=named
            )
        except TooManySpectators:
            detail = "This game has as many spectators' tokens as it may have; revoke one."
            raise Problem(422, "too_many_spectators", detail) from None
        answer = {"game": game, **msgspec.to_builtins(spectator), "token": token}
        return json_response(answer, 201, {"Idempotent-Replayed": "true"} if known else {})


@blueprint.route("/<string:game>/spectators/<string:spectator>")
class SpectatorView(MethodView):
    """One spectator of a game."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, DismissedAnswer)
    def delete(self, _query: dict[str, Any], game: str, spectator: str) -> Response:
        """Revoke a spectator's token; for whoever gave it, the creator and operators."""
        caller = _insider(game)
        given_by = {each.spectator: each.given_by for each in services().game_tokens.spectators(game)}
        if not caller.is_host and given_by.get(spectator, _name(caller)) != _name(caller):
            raise Problem(403, "not_your_spectator", "Another seat gave this spectator its token.")
        services().game_tokens.dismiss(game, spectator)
        return json_response({"game": game, "spectator": spectator})


@blueprint.route("/<string:game>/seats/<string:seat>/token")
class SeatTokenView(MethodView):
    """The token of a seat."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(201, SeatTokenAnswer)
    def post(self, _query: dict[str, Any], game: str, seat: str) -> Response:
        """Replace a lost or leaked token; what the seat had before is refused from now on.

        For operators and, of the seats whose tokens it was given when it set the game up, the game's creator: nobody
        gets hold of a seat that somebody else has taken.
        """
        caller, named = _sender(game), request_id()
        if not caller.is_host or caller.key is None:
            raise Problem(403, "host_required", "This needs the key that set the game up, or an operator's.")
        number = _taken_seat(game, seat)
        if not caller.key.is_operator and number not in caller.house.filled:
            detail = "A player took this seat; only an operator can replace its token."
            raise Problem(403, "operator_required", detail)
        note(caller.key, "seat_token_replaced", game, actor_name(number))
        token = services().game_tokens.replace_seat_token(game, number, named)
        return json_response({"game": game, "seat": number, "token": token}, 201)


def _name(caller: Caller) -> str:
    """Who gives a token: a seat, or a key by its id."""
    if caller.key is not None:
        return caller.key.id
    return actor_name(caller.seat) if caller.seat is not None else ""


def _taken_seat(game: str, seat: str) -> int:
    seats = services().tables.newest(game).table.state.seats
    if not (seat.isascii() and seat.isdigit() and len(seat) == 1 and int(seat) < len(seats)):
        raise Problem(404, "no_such_seat", f"This game has seats 0 to {len(seats) - 1}.")
    if seats[int(seat)].kind != "human":
        raise Problem(422, "no_person_there", "No person has taken this seat, so it has no token.")
    return int(seat)
