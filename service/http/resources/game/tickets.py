"""Getting a ticket for a stream, and what a ticket in an address is good for."""

from typing import Any

from flask import Response, request

from service.access.tickets import SECONDS, Ticket
from service.http.context.bearers import CHALLENGE
from service.http.context.callers import Caller, Viewpoint, redeem_ticket, view_as
from service.http.context.services import services
from service.http.contract.access import MEMBERS
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import EYES
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.schemas.queries import ViewerQuery
from service.platform.clock import now_milliseconds

blueprint = Resource("tickets", __name__, url_prefix="/v1/games", description="Tickets")


def viewpoint_by(text: str, game: str, wanted: str | None) -> Viewpoint:
    """What the ticket in an address shows of a game.

    Raises:
        Problem: 400 beside a token, 401 where it is not good for this game or any more, 403 for other eyes.
    """
    if "Authorization" in request.headers:
        raise Problem(400, "token_and_ticket", "Send a ticket or the header Authorization, not both.")
    ticket = services().tickets.redeem(text)
    seen = redeem_ticket(game, ticket, wanted) if ticket is not None and ticket.game == game else None
    if seen is None:
        detail = (
            f"This ticket is not good: it opens one stream of its game, once, within {SECONDS} seconds."
            " Get another one and go on with 'after'."
        )
        raise Problem(401, "bad_ticket", detail, headers=CHALLENGE)
    return seen


@blueprint.post("/<string:game>/tickets")
@Operation(
    MEMBERS,
    "TicketAnswer",
    EYES,
    status=201,
    links={
        "stream": Link(
            "read_events",
            {**SAME_GAME, "ticket": "$response.body#/ticket"},
            "The stream that it is good for.",
        )
    },
)
@blueprint.arguments(ViewerQuery, location="query")
def get_ticket(query: dict[str, Any], game: str, caller: Caller) -> Response:
    """Get a ticket for one stream of events: `GET events?ticket=`, where no header can be sent.

    It shows what its holder's token shows, or what `as` names where that is permitted.
    """
    seen = view_as(caller, query["viewer"])
    key = caller.key.id if caller.key is not None else None
    text = services().tickets.issue(
        Ticket(game, seen.viewer, caller.seat, caller.spectator, key, caller.sender.field)
    )
    return json_response({"game": game, "ticket": text, "expires": now_milliseconds() + SECONDS * 1000}, 201)
