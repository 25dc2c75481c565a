"""Writing down what keys with special rights do, and showing it to operators."""

import re
from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.clock import now_milliseconds
from service.http.bearers import operator
from service.http.bodies import json_response
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.keys import ActsAnswer, ActsQuery
from service.http.services import services
from service.keys import Key
from service.operator_acts import Act
from service.tracing import current_trace

MOST_LISTED: Final = 200
_PLACE: Final = re.compile(r"\d{1,15}-\d{1,9}")

blueprint = Blueprint("acts", __name__, url_prefix="/v1/operator-acts", description="Operator acts")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("")
class ActsView(MethodView):
    """The trail of operator acts."""

    @blueprint.arguments(ActsQuery, location="query")
    @blueprint.response(200, ActsAnswer)
    def get(self, query: dict[str, Any]) -> Response:
        """List what was done with keys, newest first: made, revoked, hidden cards looked at, tokens replaced."""
        operator()
        before = query["cursor"]
        if before is not None and not _PLACE.fullmatch(before):
            raise Problem(400, "bad_cursor", "This cursor is not from this list; begin without one.")
        acts, following = services().acts.page(min(query["limit"], MOST_LISTED), before)
        listed = [{"id": each.id, **msgspec.to_builtins(each.act)} for each in acts]
        return json_response({"acts": listed, "next": following})


def note(key: Key, what: str, about: str, detail: str = "") -> None:
    """Write down an act of this request, before it is done.

    Raises:
        StoreUnavailable
    """
    services().acts.record(_act(key, what, about, detail))


def note_look(key: Key, game: str, viewer: str) -> None:
    """Write down that hidden cards of a running game are looked at.

    Raises:
        StoreUnavailable
    """
    services().acts.record_look(_act(key, "hidden_cards_seen", game, viewer))


def _act(key: Key, what: str, about: str, detail: str) -> Act:
    trace = current_trace()
    request_id = trace.request_id if trace is not None else ""
    return Act(at=now_milliseconds(), who=key.id, what=what, about=about, detail=detail, request=request_id)
