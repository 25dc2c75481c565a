"""The trail of operator acts, for operators."""

import re
from typing import Any, Final

import msgspec
from flask import Response

from service.http.context.services import services
from service.http.contract.access import OPERATORS
from service.http.contract.operation import Operation, Resource, next_page
from service.http.contract.problems import LISTED
from service.http.messages.bodies import json_response
from service.http.schemas.keys import PageQuery
from service.projections.list_cursors import BadCursor

_PLACE: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,9}")

blueprint = Resource("acts", __name__, url_prefix="/v1/operator-acts", description="Operator acts")


@blueprint.get("")
@Operation(OPERATORS, "ActsAnswer", LISTED, links=next_page("list_operator_acts"))
@blueprint.arguments(PageQuery, location="query")
def list_operator_acts(query: dict[str, Any]) -> Response:
    """List what was done with keys, newest first: made, revoked, hidden cards looked at, tokens replaced."""
    before = query["cursor"]
    if before is not None and not _PLACE.fullmatch(before):
        raise BadCursor(before)
    acts, following = services().acts.page(query["limit"], before)
    listed = [{"id": each.id, **msgspec.to_builtins(each.act)} for each in acts]
    return json_response({"acts": listed, "next": following})
