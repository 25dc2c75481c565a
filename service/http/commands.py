"""Commands: what the caller may do now, and doing it."""

from typing import Any

import marshmallow as ma
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.rules.legal import legal_commands, waiting_for
from service.clock import now_milliseconds
from service.command_handling import Refused, Request, Stale, TurnedUp
from service.http.bodies import forms, headers_for, json_response, listed
from service.http.callers import seat_at
from service.http.identity import expected_version, fingerprint, request_id
from service.http.problems import Problem, from_refusal, from_staleness
from service.http.reading import Parser, json_body, schema_violation
from service.http.schemas.answers import CommandAnswer, LegalCommandsAnswer
from service.http.schemas.commands import load_commands
from service.http.schemas.requests import CommandQuery, NoQuery
from service.http.services import services

blueprint = Blueprint("commands", __name__, url_prefix="/v1/games", description="Commands")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("/<string:game>/commands")
class CommandsView(MethodView):
    """The commands of the caller's seat."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, LegalCommandsAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """List everything the caller may send now: commands ready to send, and forms to fill in."""
        seat = seat_at(game)
        table = services().tables.newest(game).table
        answer = {
            "game": game,
            "version": table.version,
            "hash": table.hash,
            "seat": seat,
            "waiting_for": list(waiting_for(table.state)),
            "commands": listed(legal_commands(table.rules, table.state, seat)),
        }
        return json_response(answer, headers=headers_for(table.version, table.hash))

    @blueprint.arguments(CommandQuery, location="query")
    @blueprint.response(200, CommandAnswer)
    def post(self, query: dict[str, Any], game: str) -> Response:
        """Send a command, or an array of them that is applied in order, wholly or not at all.

        What turns up hidden cards comes last in an array, and a dry run withholds what it would turn up.
        """
        seat = seat_at(game)
        body = json_body()
        try:
            commands = load_commands(body)
        except ma.ValidationError as error:
            raise schema_violation(error.messages) from error
        expected = expected_version()
        request = Request(seat, commands, now_milliseconds(), request_id(), fingerprint(body), expected)
        try:
            outcome = services().handling.send(game, request, dry_run=query["dry_run"])
        except Refused as refused:
            raise from_refusal(refused, seat) from refused
        except TurnedUp as turned_up:
            raise Problem(
                422,
                "hidden_cards_turned_up",
                f"Command {turned_up.place} follows one that may turn up hidden cards; send it by itself.",
                place=turned_up.place,
            ) from turned_up
        except Stale as stale:
            raise self._stale(game, stale, seat, expected) from stale
        answer = {
            "game": game,
            "version": outcome.version,
            "hash": outcome.hash,
            "dry_run": query["dry_run"],
            "withheld": outcome.withheld,
            "events": forms(outcome.entries, outcome.sitting.table.key, seat),
        }
        headers = headers_for(outcome.version, outcome.hash, duplicate=outcome.duplicate)
        return json_response(answer, headers=headers)

    def _stale(self, game: str, stale: Stale, seat: int, expected: tuple[int, str] | None) -> Exception:
        version = expected[0] if expected is not None else 0
        missed = services().store.read(game, version)
        return from_staleness(stale, version, forms(missed, stale.sitting.table.key, seat))
