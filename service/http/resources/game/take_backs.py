"""Taking back: a seat asks to go back to an earlier version, and when all others agree the game does."""

from typing import Any, Final

import msgspec
from flask import Response

from events.commands import AgreeTakeBack, AskTakeBack, Command, DeclineTakeBack
from events.rules.interventions.rewinding import what_was_seen
from events.rules.interventions.take_backs import may_be_asked
from events.rules.table.player_view import player_view
from events.rules.table.seen import find_seen
from service.http.context.seats import Seated
from service.http.context.services import services
from service.http.contract.access import ACTING_SEATS, SEATS
from service.http.contract.headers import ENTITY_TAG
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import APPENDING, BUDGET, LEFT, TIMED, of
from service.http.contract.request_headers import IF_MATCH, KEY
from service.http.messages.bodies import headers_for, json_response
from service.http.resources.game.commands import AFTER_A_COMMAND, apply
from service.http.schemas.take_backs import TakeBackRequest

MOST_LISTED: Final = 20
"""So many of the last versions that the game can go back to are listed."""

blueprint = Resource("take_backs", __name__, url_prefix="/v1/games", description="Taking back")
_TAKING_BACK: Final = (
    APPENDING | BUDGET | LEFT | TIMED | of(422, "game_not_started", "game_over", "game_is_paused")
)
"""Where a seat asks to go back, or answers that."""


@blueprint.get("/<string:game>/take-backs")
@Operation(
    SEATS,
    "TakeBacksAnswer",
    links={"ask": Link("ask_take_back", SAME_GAME, "Ask the others to go back to one of these versions.")},
)
def list_take_backs(game: str, seat: int) -> Response:
    """List which of the last versions the game can go back to, newest first, with what has been seen since.

    Going back over cards that somebody has seen needs `seen_confirmed`; the piles that they were taken from are
    shuffled anew. Versions to which the seat may not ask to go back are left out: in a duplicate round those before
    such cards, and where a bot has a seat of its own those since which hidden cards were seen.
    """
    loaded = services().tables.newest(game)
    table = loaded.table
    stops = services().tables.last_stops(loaded, MOST_LISTED) if table.state.status == "running" else []
    found = [
        {
            "version": version,
            "turn": then.turn,
            "phase": then.phase,
            "seen": what_was_seen(find_seen(then, table.state)),
        }
        for version, then in stops
        if may_be_asked(then, table.state, seat)
    ]
    answer = {
        "game": game,
        "version": table.version,
        "hash": table.hash,
        "take_back": player_view(table.state, seat)["take_back"],
        "versions": found,
    }
    return json_response(answer, headers=headers_for(table.version, table.hash, seat))


@blueprint.post("/<string:game>/take-backs")
@Operation(
    ACTING_SEATS,
    "CommandAnswer",
    _TAKING_BACK
    | of(422, "take_back_open", "contradicts_log", "seen_unconfirmed", "deal_must_stay", "bots_decline"),
    takes=(KEY, IF_MATCH),
    gives=(ENTITY_TAG,),
    links=AFTER_A_COMMAND,
)
@blueprint.arguments(TakeBackRequest)
def ask_take_back(body: dict[str, Any], seated: Seated, **_game: str) -> Response:
    """Ask all others to go back to a version; until they have answered nothing but talk is accepted.

    The seats of bots agree at once. It is recorded like any command. In a duplicate round the answer is
    `deal_must_stay` where cards were drawn since. Where a bot has a seat of its own the answer is
    `bots_decline` if hidden cards were seen since that are not from the seat's own hand.
    """
    return _apply(seated, AskTakeBack(body["to_version"], body["seen_confirmed"]))


@blueprint.post("/<string:game>/take-backs/agreement")
@Operation(
    ACTING_SEATS,
    "CommandAnswer",
    _TAKING_BACK | of(422, "no_take_back", "agreed_already", "contradicts_log", "seen_unconfirmed"),
    takes=(KEY, IF_MATCH),
    gives=(ENTITY_TAG,),
    links=AFTER_A_COMMAND,
)
def agree_take_back(seated: Seated, **_game: str) -> Response:
    """Agree to what was asked; with the last agreement the game goes back."""
    return _apply(seated, AgreeTakeBack())


@blueprint.post("/<string:game>/take-backs/refusal")
@Operation(
    ACTING_SEATS,
    "CommandAnswer",
    _TAKING_BACK | of(422, "no_take_back"),
    takes=(KEY, IF_MATCH),
    gives=(ENTITY_TAG,),
    links=AFTER_A_COMMAND,
)
def decline_take_back(seated: Seated, **_game: str) -> Response:
    """Decline what was asked, or take one's own question back: the game goes on as it stands."""
    return _apply(seated, DeclineTakeBack())


def _apply(seated: Seated, command: Command) -> Response:
    return apply(seated, [command], msgspec.to_builtins(command))
