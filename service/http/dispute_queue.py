"""The queue of disputes over all games, for arbiters."""

from functools import partial
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.clock import now_milliseconds
from service.dispute_queue import Wanted
from service.http.asking import asked_first
from service.http.bearers import key_holder
from service.http.bodies import json_response
from service.http.links import link_header, same_with
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.disputes import QueueAnswer, QueueQuery
from service.http.services import services
from service.keys import Key
from service.read_models import BadCursor

blueprint = Blueprint(
    "dispute_queue", __name__, url_prefix="/v1/disputes", description="Disputes of all games"
)
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("")
class QueueView(MethodView):
    """The cases that have not ended."""

    @asked_first(_holder=partial(key_holder, "arbitrate"))
    @blueprint.arguments(QueueQuery, location="query")
    @blueprint.response(200, QueueAnswer)
    def get(self, query: dict[str, Any], _holder: Key) -> Response:
        """List the cases of all games that have not ended, oldest first; for keys with the scope `arbitrate`."""
        age = query["older_than"]
        wanted = Wanted(
            game=query["game"],
            reason=query["reason"],
            status=query["status"],
            opened_before=now_milliseconds() - age if age is not None else None,
        )
        try:
            rows, following = services().dispute_queue.page(wanted, query["limit"], query["cursor"])
        except BadCursor as error:
            detail = "This cursor is not from this list; begin without one."
            raise Problem(400, "bad_cursor", detail) from error
        links = link_header(
            first=same_with(cursor=None), next=same_with(cursor=following) if following is not None else None
        )
        return json_response({"disputes": msgspec.to_builtins(rows), "next": following}, headers=links)
