"""The evidence pack of a case: what an arbiter reads before ruling, as JSON, Markdown or a page."""

from typing import Any

from flask import Response, request
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disputes.events import EvidencePackBuilt
from events.disputes.state import Case
from replay.evidence import html_of, markdown_of, read_pack
from replay.evidence.html import POLICY
from service.disputes import DisputeLog
from service.http.callers import admitted
from service.http.disputants import ARBITRATE
from service.http.disputes import case_in
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.evidence_packs import EvidencePackAnswer, EvidencePackQuery
from service.http.services import services

blueprint = Blueprint("evidence_packs", __name__, url_prefix="/v1/games", description="Disputes")
blueprint.ARGUMENTS_PARSER = Parser()
JSON, MARKDOWN, HTML = "application/json", "text/markdown", "text/html"


@blueprint.route("/<string:game>/disputes/<string:dispute>/evidence-pack")
class EvidencePackView(MethodView):
    """What the log says about a case."""

    @blueprint.arguments(EvidencePackQuery, location="query")
    @blueprint.response(200, EvidencePackAnswer)
    def get(self, query: dict[str, Any], game: str, dispute: str) -> Response:
        """Read the evidence pack of a case. It shows hidden cards: until the end it is for arbiters only.

        A worker builds it when the case is opened, and a new one when more is said. As JSON these are the bytes
        whose SHA-256 stands in the dispute log; whoever has the whole record can build the same.
        """
        wanted = request.accept_mimetypes
        accepted = wanted.best_match([JSON, MARKDOWN, HTML]) if wanted else JSON
        if accepted is None:
            raise Problem(406, "not_acceptable", f"Accept one of {JSON}, {MARKDOWN}, {HTML}.")
        _check_may_read(game)
        found = services()
        log = found.settling.disputes.of(game)
        case = case_in(log, dispute)
        sha256 = _chosen(log, case, query["sha256"])
        content = found.evidence.kept(game, sha256) if sha256 is not None else None
        if sha256 is None or content is None:
            raise _missing(case)
        return _shown(content, sha256, accepted)


def _check_may_read(game: str) -> None:
    """Let pass who may see all cards of a game.

    Raises:
        Problem: 403 for everybody but arbiters until the game has finished.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admitted(game)
    if not caller.may(ARBITRATE) and services().tables.newest(game).table.state.status != "finished":
        detail = "An evidence pack shows hidden cards: until the game has finished it is for arbiters."
        raise Problem(403, "game_not_finished", detail)


def _chosen(log: DisputeLog, case: Case, asked: str | None) -> str | None:
    """The hash of the pack that is asked for, or of the newest; None where the case has no such pack."""
    if asked is None or asked == case.pack:
        return case.pack
    happened = (entry.happened for entry in log.entries if entry.happened.case == case.number)
    packs = [each.event.sha256 for each in happened if isinstance(each.event, EvidencePackBuilt)]
    return asked if asked in packs else None


def _missing(case: Case) -> Problem:
    if case.pack is None and case.pack_due and not case.is_over:
        detail = "The evidence pack of this case is being built; ask again in a moment."
        return Problem(404, "no_evidence_pack", detail)
    return Problem(404, "no_evidence_pack", "This case has no such evidence pack.")


def _shown(content: bytes, sha256: str, form: str) -> Response:
    """A pack in one of its forms. A pack never changes, so its hash tells its forms apart too."""
    if form == JSON:
        response = Response(content, content_type=JSON)
    elif form == MARKDOWN:
        response = Response(markdown_of(read_pack(content)), content_type="text/markdown; charset=utf-8")
    else:
        response = Response(html_of(read_pack(content)), content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = f"{POLICY}; frame-ancestors 'none'"
    response.headers["ETag"] = f'"{sha256}"' if form == JSON else f'"{sha256}/{form}"'
    return response
