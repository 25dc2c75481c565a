"""The queue of disputes over all games, for arbiters."""

from typing import Any

from flask import Response

from service.disputes.queue import Wanted
from service.http.context.disputants import ARBITRATE
from service.http.context.services import services
from service.http.contract.access import holders_of
from service.http.contract.headers import LINK
from service.http.contract.operation import Link, Operation, Resource, next_page
from service.http.contract.problems import LISTED
from service.http.messages.bodies import json_response
from service.http.messages.links import link_pages
from service.http.schemas.disputes import QueueQuery
from service.platform.clock import now_milliseconds

blueprint = Resource(
    "dispute_queue", __name__, url_prefix="/v1/disputes", description="Disputes of all games"
)


@blueprint.get("")
@Operation(
    holders_of(ARBITRATE),
    "QueueAnswer",
    LISTED,
    gives=(LINK,),
    links={
        **next_page("list_all_disputes"),
        "look": Link(
            "show_dispute",
            {"game": "$response.body#/disputes/0/game", "dispute": "$response.body#/disputes/0/dispute"},
            "The oldest of them.",
        ),
    },
)
@blueprint.arguments(QueueQuery, location="query")
def list_all_disputes(query: dict[str, Any]) -> Response:
    """List the cases of all games that have not ended, oldest first; for keys with the scope `arbitrate`.

    A page has fewer cases, or none, where few of those that were looked at for it are wanted: `next` leads on.
    """
    age = query["older_than"]
    wanted = Wanted(
        game=query["game"],
        reason=query["reason"],
        status=query["status"],
        opened_before=now_milliseconds() - age if age is not None else None,
    )
    rows, following = services().dispute_queue.page(wanted, query["limit"], query["cursor"])
    return json_response({"disputes": rows, "next": following}, headers=link_pages("cursor", following))
