"""Commands: what the caller may do now, and doing it."""

from collections.abc import Sequence
from typing import Any, Final

import marshmallow as ma
from flask import Response

from events.commands import Command
from service.http.context.callers import viewpoint
from service.http.context.identity import expected_version, fingerprint, request_id
from service.http.context.limits import count_more
from service.http.context.seats import Seated
from service.http.context.services import services
from service.http.contract.access import ACTING_SEATS, SEATS
from service.http.contract.headers import ENTITY_TAG
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import APPENDING, BUDGET, LEFT, MOVES, TIMED, VERSION, WAITING, of
from service.http.contract.request_headers import IF_MATCH, KEY
from service.http.follow.command_answers import command_answer
from service.http.follow.freshness import newest, refuse_stale
from service.http.follow.table_bodies import legal_body
from service.http.messages.bodies import headers_for, json_response
from service.http.messages.problems import Problem, describe_problem, from_refusal, from_revealed_information
from service.http.messages.reading import json_body, schema_violation
from service.http.schemas.commands import MOST_COMMANDS, load_commands
from service.http.schemas.queries import CommandQuery, LegalCommandsQuery
from service.platform.clock import now_milliseconds
from service.play.deciding import HiddenInformationRevealed, Refused, Request, Stale

blueprint = Resource("commands", __name__, url_prefix="/v1/games", description="Commands")
JSON: Final = "application/json"
COMMAND: Final[dict[str, Any]] = {"$ref": "#/components/schemas/Command"}
AFTER_A_COMMAND: Final = {
    "look": Link("show_table", SAME_GAME, "The table after it."),
    "look_back": Link(
        "show_table", {**SAME_GAME, "at": "$response.body#/version"}, "The table at this version."
    ),
    "choose": Link("list_legal_commands", SAME_GAME, "What the seat may send next."),
    "follow": Link(
        "read_events", {**SAME_GAME, "after": "$response.body#/version"}, "What happens after it."
    ),
    "prove": Link("fetch_receipt", SAME_GAME, "The service's signature on the game as it stands."),
}


@blueprint.get("/<string:game>/commands")
@Operation(
    SEATS,
    "LegalCommandsAnswer",
    VERSION | WAITING,
    links={
        "send": Link(
            "send_commands",
            SAME_GAME,
            "Send one of them: as it is, or filled in where it has a form.",
            "$response.body#/commands/0",
        )
    },
)
@blueprint.arguments(LegalCommandsQuery, location="query")
def list_legal_commands(query: dict[str, Any], game: str, seat: int) -> Response:
    """List everything the caller may send now: commands ready to send, and forms to fill in.

    With `after` and `wait` the answer is held back until there is a version after that one, so many seconds at
    most.
    """
    services().presence.seen(game, seat)
    table = newest(viewpoint(game), query).table
    return json_response(legal_body(table, seat), headers=headers_for(table.version, table.hash, seat))


@blueprint.post("/<string:game>/commands")
@Operation(
    ACTING_SEATS,
    "CommandAnswer",
    APPENDING
    | MOVES
    | TIMED
    | of(422, "hidden_cards_turned_up", "game_is_paused", "take_back_open")
    | BUDGET
    | LEFT
    | of(422, "talk_budget_spent", "trading_budget_spent", "question_budget_spent")
    | of(422, "agreed_already", "contradicts_log", "no_take_back", "seen_unconfirmed")
    | of(422, "deal_must_stay", "bots_decline")
    | of(422, "people_only", "left_already", "not_away", "too_many_returns")
    | of(422, "bad_end_offer", "end_offer_open", "no_end_offer"),
    takes=(KEY, IF_MATCH),
    gives=(ENTITY_TAG,),
    links=AFTER_A_COMMAND,
    body={
        JSON: {
            "oneOf": [
                COMMAND,
                {"type": "array", "items": COMMAND, "minItems": 1, "maxItems": MOST_COMMANDS},
            ]
        }
    },
)
@blueprint.arguments(CommandQuery, location="query")
def send_commands(query: dict[str, Any], seated: Seated, **_game: str) -> Response:
    """Send a command, or an array of them that is applied in order up to the first that is refused.

    `applied` says how many count, `stopped` why the next one does not; what is answered with a problem has left
    no trace. What may turn up hidden cards ends an array. With `atomic` all commands count or none does.
    """
    if query["dry_run"]:
        seated.authenticate()
    body = json_body()
    try:
        commands = load_commands(body)
    except ma.ValidationError as error:
        raise schema_violation(error.messages) from error
    count_more(len(commands) - 1)
    return apply(
        seated,
        commands,
        body,
        atomic=query["atomic"],
        dry_run=query["dry_run"],
        language=query["text"],
    )


def apply(
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
        outcome = services().handling.send(seated.game, request, dry_run=dry_run)
    except (Refused, HiddenInformationRevealed) as stopped:
        raise _problem(stopped, seated.seat) from stopped
    except Stale as stale:
        raise refuse_stale(stale, request) from stale
    why = describe_problem(_problem(outcome.stopped, seated.seat)) if outcome.stopped else None
    answer = command_answer(
        seated.game, seated.seat, outcome, dry_run=dry_run, stopped=why, language=language
    )
    return json_response(answer, headers=headers_for(*outcome.head), is_known=outcome.duplicate)


def _problem(stopped: Refused | HiddenInformationRevealed, seat: int) -> Problem:
    return (
        from_refusal(stopped, seat)
        if isinstance(stopped, Refused)
        else from_revealed_information(stopped, seat)
    )
