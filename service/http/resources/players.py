"""Players: the names to show for them, and which ids mean the same one."""

from typing import Any

from flask import Response

from service.access.keys import Key
from service.http.context.player_ids import named_player
from service.http.context.services import services
from service.http.contract.access import holders_of
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import COUNTED, NAMED, of
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.schemas.players import MergeRequest, PlayerRequest

blueprint = Resource("players", __name__, url_prefix="/v1/players", description="Players")
_OWNERS = holders_of("create_games")
_FORBIDDEN = NAMED | of(403, "player_forbidden")


@blueprint.get("/<string:player>")
@Operation(_OWNERS, "PlayerAnswer", _FORBIDDEN)
def show_player(player: str, holder: Key) -> Response:
    """Show a player of yours: the name that is shown, and the player that the id was merged into.

    404 where there is neither: an id says nothing by itself.
    """
    shown = _describe(named_player(holder, player))
    if shown["name"] is None and shown["merged_into"] is None:
        raise Problem(
            404, "not_found", "No name is shown for a player of this id, and it means no other one."
        )
    return json_response(shown)


@blueprint.put("/<string:player>")
@Operation(_OWNERS, "PlayerAnswer", _FORBIDDEN | COUNTED | of(422, "too_many_players"))
@blueprint.arguments(PlayerRequest)
def name_player(wanted: dict[str, Any], player: str, holder: Key) -> Response:
    """Say what is shown for a player, in games of the past too. Views have it within some seconds."""
    whole = named_player(holder, player)
    if not services().players.name(whole, wanted["name"]):
        raise Problem(422, "too_many_players", "This service keeps no more players' names.")
    return _answer(whole)


@blueprint.delete("/<string:player>")
@Operation(_OWNERS, "PlayerAnswer", _FORBIDDEN | COUNTED)
def forget_player(player: str, holder: Key) -> Response:
    """Forget the name of a player. The id stays in the logs, where no name ever was.

    The store's append-only file is rewritten without the name, within some minutes; backups made before keep it.
    """
    whole = named_player(holder, player)
    services().players.forget(whole)
    return _answer(whole)


@blueprint.post("/<string:player>/merge")
@Operation(_OWNERS, "PlayerAnswer", _FORBIDDEN | COUNTED | of(409, "merge_leads_back"))
@blueprint.arguments(MergeRequest)
def merge_player(wanted: dict[str, Any], player: str, holder: Key) -> Response:
    """Have an id mean another player of yours: in ratings its games are that one's."""
    whole, into = named_player(holder, player), named_player(holder, wanted["into"])
    if not services().players.merge(whole, into):
        raise Problem(409, "merge_leads_back", "That player was merged into this one, or is this one.")
    return _answer(whole)


def _answer(player: str) -> Response:
    return json_response(_describe(player))


def _describe(player: str) -> dict[str, Any]:
    found = services().players
    return {
        "player": player,
        "name": found.names([player]).get(player),
        "merged_into": found.merged_into(player),
    }
