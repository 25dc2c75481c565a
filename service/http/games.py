"""Games: setting one up, listing them, looking at one, taking a seat."""

from functools import partial
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disclosure import PUBLIC, viewer_name
from events.rules.card_names import card_names
from events.rules.move import HOST
from events.rules.player_view import player_view
from events.store_errors import PartitionQuarantined
from events.table import Table
from service.admission import House
from service.clock import now_milliseconds
from service.command_handling import Outcome
from service.deciding import Refused, Request
from service.disputes import RuledResult
from service.http.asking import asked_first
from service.http.bearers import key_holder
from service.http.bodies import headers_for, json_response
from service.http.caching import keep_for_ever
from service.http.callers import Viewpoint, admitted, audience, viewpoint
from service.http.identity import UNGUESSABLE, fingerprint, healthy_game_id, new_game_id, request_id
from service.http.links import link_header, same_with
from service.http.newest import check_reached, newest
from service.http.problems import Problem, from_not_played, from_refusal
from service.http.reading import Parser, json_body
from service.http.schemas.answers import (
    GameCatalogueAnswer,
    GamesAnswer,
    NewGameAnswer,
    StateAnswer,
    TakenSeatAnswer,
)
from service.http.schemas.requests import GamesQuery, NewGameRequest, NoQuery, StateQuery, TakeSeatRequest
from service.http.services import services
from service.http.systems import summary
from service.keys import Key
from service.lobby import NewGame, NotPlayed, Player
from service.read_models import BadCursor, Filter, Summary
from service.tables import Sitting

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="Games")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("")
class GamesView(MethodView):
    """All games."""

    @blueprint.arguments(GamesQuery, location="query")
    @blueprint.response(200, GamesAnswer)
    def get(self, query: dict[str, Any]) -> Response:
        """List games, newest first; `next` is the cursor of the following page."""
        wanted = Filter(
            query["system"],
            query["status"],
            query["player"],
            query["validation"],
            query["quarantined"],
            query["created_after"],
            query["created_before"],
        )
        try:
            games, following = services().games.page(wanted, query["limit"], query["cursor"], audience())
        except BadCursor as error:
            raise Problem(
                400, "bad_cursor", "This cursor is not from this list; begin without one."
            ) from error
        links = link_header(
            first=same_with(cursor=None), next=same_with(cursor=following) if following is not None else None
        )
        finished = [each.game for each in games if each.status == "finished"]
        ruled = dict(zip(finished, services().settling.disputes.ruled(finished), strict=True))
        rows = [_listed(each, ruled.get(each.game)) for each in games]
        return json_response({"games": rows, "next": following}, headers=links)

    @asked_first(holder=partial(key_holder, "create_games"))
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(NewGameRequest)
    @blueprint.response(201, NewGameAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any], holder: Key) -> Response:
        """Set up a game. With every seat filled it starts at once."""
        named = request_id()
        house = House(wanted["visibility"], wanted["spectator_delay"], holder.id)
        players = [Player(**seat) if seat is not None else None for seat in wanted["seats"]]
        try:
            outcome, tokens = _created(
                holder.holder,
                NewGame(wanted["system"], players, wanted["options"], wanted["catalogue"], house),
                named,
            )
        except NotPlayed as not_played:
            raise from_not_played(not_played) from not_played
        except Refused as refused:
            raise from_refusal(refused, PUBLIC) from refused
        table = outcome.sitting.table
        game = table.game
        seats = [
            {"seat": seat, "name": player.name or None, "kind": player.kind or None}
            | ({"token": tokens[seat]} if seat in tokens else {})
            for seat, player in enumerate(table.state.seats)
        ]
        answer = {
            "game": game,
            "version": outcome.version,
            "hash": outcome.hash,
            "system": table.state.system,
            "status": table.state.status,
            "visibility": house.visibility,
            "spectator_delay": house.spectator_delay,
            "commitment": table.state.commitment,
            "seats": seats,
        }
        headers = headers_for(outcome.version, outcome.hash, duplicate=outcome.duplicate)
        return json_response(answer, 201, {**headers, "Location": f"/v1/games/{game}"})


@blueprint.route("/<string:game>")
class GameView(MethodView):
    """One game."""

    @blueprint.arguments(StateQuery, location="query")
    @blueprint.response(200, StateAnswer)
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Show the table as the caller may see it, now or at an earlier version.

        With `after` and `wait` the answer is held back until there is a version after that one, so many seconds at
        most.
        """
        seen = viewpoint(game, query["viewer"])
        if seen.caller.seat is not None:
            services().presence.seen(game, seen.caller.seat)
        table = newest(seen, query).table if query["at"] is None else _at(seen.sitting, query["at"])
        headers = headers_for(table.version, table.hash, seen.viewer)
        response = json_response(state_body(seen, table), headers=headers)
        if query["at"] is not None:
            keep_for_ever(response, is_listed=seen.caller.house.is_listed)
        return response


@blueprint.route("/<string:game>/catalogue")
class GameCatalogueView(MethodView):
    """The cards of a game."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, GameCatalogueAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """Show the catalogue that the game was set up with, whatever is installed today."""
        admitted(game)
        sitting = services().tables.recent(game)
        catalogue = sitting.table.rules.catalogue
        content = msgspec.to_builtins(catalogue)
        return json_response(
            {"game": game, "hash": catalogue.hash(), "catalogue": content, "names": card_names(catalogue)}
        )


@blueprint.route("/<string:game>/seats")
class SeatsView(MethodView):
    """The seats of a game."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(TakeSeatRequest)
    @blueprint.response(201, TakenSeatAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any], game: str) -> Response:
        """Take a seat; the answer holds its token, which is not shown again. The last seat starts the game."""
        caller = admitted(game)
        named = request_id(least=UNGUESSABLE)
        asked = Request(HOST, (), now_milliseconds(), named, fingerprint(json_body()))
        player = Player(wanted["name"], seed=wanted["seed"])
        try:
            outcome, seat, token = services().lobby.take_seat(game, player, wanted["seat"], asked)
        except Refused as refused:
            newest = services().tables.newest(game)
            seen = services().delayed.seen(newest, caller.delay)
            raise from_refusal(refused, PUBLIC, seen.table) from refused
        answer = {
            "game": game,
            "version": outcome.version,
            "hash": outcome.hash,
            "seat": seat,
            "token": token,
            "commitment": outcome.sitting.table.state.commitment,
        }
        headers = headers_for(outcome.version, outcome.hash, duplicate=outcome.duplicate)
        return json_response(answer, 201, headers)


def _listed(summary: Summary, ruled: RuledResult | None) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(summary)
    del shown["creator"], shown["opened"]
    return {**shown, "ruled": msgspec.to_builtins(ruled)}


def state_body(seen: Viewpoint, table: Table) -> dict[str, Any]:
    """What a viewpoint shows of a table of its game."""
    house = seen.caller.house
    return {
        "version": table.version,
        "hash": table.hash,
        "viewer": viewer_name(seen.viewer),
        "visibility": house.visibility,
        "spectator_delay": house.spectator_delay,
        **player_view(table.state, seen.viewer),
        "played_with": summary(table.rules.catalogue),
    }


def _created(holder: str, wanted: NewGame, named: str) -> tuple[Outcome, dict[int, str]]:
    """Set up a game; where nobody has chosen its id, in a partition that is not quarantined."""
    try:
        return _create(new_game_id(holder, named), wanted, named)
    except PartitionQuarantined:
        game = healthy_game_id(holder, named)
        if game is None:
            raise
        return _create(game, wanted, named)


def _create(game: str, wanted: NewGame, named: str) -> tuple[Outcome, dict[int, str]]:
    return services().lobby.create(game, wanted, now_milliseconds(), named, fingerprint(json_body()))


def _at(sitting: Sitting, version: int) -> Table:
    check_reached(sitting.table, version)
    return sitting.table if version == sitting.table.version else services().tables.at(sitting, version)
