"""Commands: what the caller may do now, and doing it."""

from collections.abc import Sequence
from typing import Any

import marshmallow as ma
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.commands import Command
from events.rules.legal import legal_commands, waiting_for
from service.clock import now_milliseconds
from service.deciding import Refused, Request, Stale, TurnedUp
from service.http.bodies import headers_for, json_response, listed
from service.http.callers import seat_at, viewpoint
from service.http.identity import expected_version, fingerprint, request_id
from service.http.newest import newest
from service.http.problems import (
    Problem,
    from_refusal,
    from_turning_up,
    told,
)
from service.http.reading import Parser, json_body, schema_violation
from service.http.schemas.answers import CommandAnswer, LegalCommandsAnswer
from service.http.schemas.commands import load_commands
from service.http.schemas.requests import CommandQuery, LegalCommandsQuery
from service.http.seats import Seated, answered_to_seat
from service.http.services import services
from service.http.stale import missed
from service.http.telling import told_forms

blueprint = Blueprint("commands", __name__, url_prefix="/v1/games", description="Commands")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("/<string:game>/commands")
class CommandsView(MethodView):
    """The commands of the caller's seat."""

    @blueprint.arguments(LegalCommandsQuery, location="query")
    @blueprint.response(200, LegalCommandsAnswer)
    def get(self, query: dict[str, Any], game: str) -> Response:
        """List everything the caller may send now: commands ready to send, and forms to fill in.

        With `after` and `wait` the answer is held back until there is a version after that one, so many seconds at
        most.
        """
        seat = seat_at(game)
        services().presence.seen(game, seat)
        table = newest(viewpoint(game), query).table
        answer = {
            "game": game,
            "version": table.version,
            "hash": table.hash,
            "status": table.state.status,
            "seat": seat,
            "waiting_for": list(waiting_for(table.state)),
            "commands": listed(legal_commands(table.rules, table.state, seat)),
        }
        return json_response(answer, headers=headers_for(table.version, table.hash, seat))

    @blueprint.arguments(CommandQuery, location="query")
    @blueprint.response(200, CommandAnswer)
    def post(self, query: dict[str, Any], game: str) -> Response:
        """Send a command, or an array of them that is applied in order up to the first that is refused.

        `applied` says how many count, `stopped` why the next one does not; what is answered with a problem has left
        no trace. What may turn up hidden cards ends an array. With `atomic` all commands count or none does.
        """
        return answered_to_seat(game, lambda seated: _sent(game, query, seated), anew=query["dry_run"])


def _sent(game: str, query: dict[str, Any], seated: Seated) -> Response:
    """Apply what the body says, and answer."""
    body = json_body()
    try:
        commands = load_commands(body)
    except ma.ValidationError as error:
        raise schema_violation(error.messages) from error
    return applied(
        game,
        seated,
        commands,
        body,
        atomic=query["atomic"],
        dry_run=query["dry_run"],
        language=query["text"],
    )


def applied(
    game: str,
    seated: Seated,
    commands: Sequence[Command],
    body: Any,
    *,
    atomic: bool = False,
    dry_run: bool = False,
    language: str | None = None,
) -> Response:
    """Apply a seat's commands, and answer; where it is no dry run, only what an append has proved.

    Raises:
        Problem: they are refused, or insist on another version.
        RequirementUnmet: the seat is not the caller's any more.
    """
    request = Request(
        seated.seat,
        commands,
        now_milliseconds(),
        request_id(),
        fingerprint(body, atomic=atomic),
        expected_version(),
        atomic=atomic,
        required=seated.required,
    )
    try:
        outcome = services().handling.send(game, request, dry_run=dry_run)
    except (Refused, TurnedUp) as stopped:
        raise _problem(stopped, seated.seat) from stopped
    except Stale as stale:
        raise missed(game, stale, request) from stale
    answer = {
        "game": game,
        "version": outcome.version,
        "hash": outcome.hash,
        "dry_run": dry_run,
        "withheld": outcome.withheld,
        "applied": outcome.applied,
        "stopped": told(_problem(outcome.stopped, seated.seat)) if outcome.stopped else None,
        "events": told_forms(outcome.sitting, outcome.entries, seated.seat, language),
    }
    headers = headers_for(outcome.version, outcome.hash, duplicate=outcome.duplicate)
    return json_response(answer, headers=headers)


def _problem(stopped: Refused | TurnedUp, seat: int) -> Problem:
    return from_refusal(stopped, seat) if isinstance(stopped, Refused) else from_turning_up(stopped, seat)
