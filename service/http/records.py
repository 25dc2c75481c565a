"""Records and validations: a game as one self-contained file, and what the validator says of it."""

from collections.abc import Iterator
from typing import Any

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disclosure import ALL, Form, form_for
from events.record import header_for, write_record
from service.http.bodies import json_response
from service.http.callers import caller_of, viewer_for
from service.http.reading import Parser
from service.http.schemas.answers import ValidationsAnswer
from service.http.schemas.requests import NoQuery, ViewerQuery
from service.http.services import Services, services
from service.tables import Sitting

blueprint = Blueprint("records", __name__, url_prefix="/v1/games", description="Records")
blueprint.ARGUMENTS_PARSER = Parser()
_CHUNK = 500


@blueprint.route("/<string:game>/record")
class RecordView(MethodView):
    """A game's record."""

    @blueprint.arguments(ViewerQuery, location="query")
    @blueprint.response(200, content_type="application/x-ndjson")
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Download the record as NDJSON: a finished game's whole, a running one's as the caller may see it."""
        sitting = services().tables.newest(game)
        viewer = viewer_for(sitting, query["viewer"])
        if query["viewer"] is None and sitting.table.state.status == "finished":
            viewer = ALL
        lines = write_record(header_for(sitting.table, viewer), _forms(services(), sitting, viewer))
        response = Response(lines, content_type="application/x-ndjson")
        response.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
        return response


def _forms(found: Services, sitting: Sitting, viewer: int) -> Iterator[Form]:
    table, after = sitting.table, 0
    while after < table.version:
        entries = found.store.read(table.game, after, min(_CHUNK, table.version - after))
        for entry in entries:
            yield form_for(entry, table.key, viewer)
        after = entries[-1].version


@blueprint.route("/<string:game>/validations")
class ValidationsView(MethodView):
    """The validator's reports on a game."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, ValidationsAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """Show what the validator found, newest first; `pending` until a finished game has been validated."""
        caller_of(services().store.private(game))
        found = services().validations
        return json_response(
            {"game": game, "validation": found.verdict(game), "reports": found.reports(game)}
        )
