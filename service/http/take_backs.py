"""Taking back: a seat asks to go back to an earlier version, and when all others agree the game does."""

from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.commands import AgreeTakeBack, AskTakeBack, Command, DeclineTakeBack
from events.rules.player_view import player_view
from events.rules.rewinding import what_was_seen
from events.rules.seen import seen_between
from service.http.bodies import headers_for, json_response
from service.http.callers import seat_at
from service.http.commands import applied
from service.http.reading import Parser
from service.http.schemas.answers import CommandAnswer
from service.http.schemas.requests import NoQuery
from service.http.schemas.take_backs import TakeBackRequest, TakeBacksAnswer
from service.http.seats import answered_to_seat
from service.http.services import services

MOST_LISTED: Final = 20
"""So many of the last versions that the game can go back to are listed."""

blueprint = Blueprint("take_backs", __name__, url_prefix="/v1/games", description="Taking back")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("/<string:game>/take-backs")
class TakeBacksView(MethodView):
    """What can be taken back, and asking for it."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, TakeBacksAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """List the last versions that the game can go back to, newest first, with what has been seen since.

        Going back over cards that somebody has seen needs `seen_confirmed`; the piles that they were taken from are
        shuffled anew.
        """
        seat = seat_at(game)
        sitting = services().tables.newest(game)
        table = sitting.table
        earlier = services().tables.earlier(sitting)
        found: list[dict[str, Any]] = []
        version = table.version - 1
        while version > 0 and len(found) < MOST_LISTED and table.state.status == "running":
            then = earlier(version)
            if then is not None:
                seen = seen_between(then, table.state)
                found.append(
                    {"version": version, "turn": then.turn, "phase": then.phase, "seen": what_was_seen(seen)}
                )
            version -= 1
        answer = {
            "game": game,
            "version": table.version,
            "hash": table.hash,
            "take_back": player_view(table.state, seat)["take_back"],
            "versions": found,
        }
        return json_response(answer, headers=headers_for(table.version, table.hash, seat))

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(TakeBackRequest)
    @blueprint.response(200, CommandAnswer)
    def post(self, _query: dict[str, Any], body: dict[str, Any], game: str) -> Response:
        """Ask all others to go back to a version; until they have answered nothing but talk is accepted.

        The seats of bots agree at once. It is recorded like any command.
        """
        return _sent(game, AskTakeBack(body["to_version"], body["seen_confirmed"]))


@blueprint.route("/<string:game>/take-backs/agreement")
class AgreementView(MethodView):
    """Agreeing."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, CommandAnswer)
    def post(self, _query: dict[str, Any], game: str) -> Response:
        """Agree to what was asked; with the last agreement the game goes back."""
        return _sent(game, AgreeTakeBack())


@blueprint.route("/<string:game>/take-backs/refusal")
class RefusalView(MethodView):
    """Declining."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, CommandAnswer)
    def post(self, _query: dict[str, Any], game: str) -> Response:
        """Decline what was asked, or take one's own question back: the game goes on as it stands."""
        return _sent(game, DeclineTakeBack())


def _sent(game: str, command: Command) -> Response:
    body = msgspec.to_builtins(command)
    return answered_to_seat(game, lambda seated: applied(game, seated, [command], body))
