"""The evidence pack of a case: what an arbiter reads before ruling, as JSON, Markdown or a page."""

from typing import Any

from flask import Response, request

from events.disputes.events import EvidencePackBuilt
from events.disputes.state import Case
from replay.exports.evidence.html import POLICY, render_html
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import read_pack
from service.disputes.disputes import DisputeLog
from service.http.context.services import services
from service.http.contract.access import EVIDENCE_VIEWERS
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import of
from service.http.messages.problems import Problem
from service.http.resources.game.disputes import OF_A_CASE, case_in
from service.http.schemas.evidence_packs import EvidencePackQuery

JSON, MARKDOWN, HTML = "application/json", "text/markdown", "text/html"
blueprint = Resource("evidence_packs", __name__, url_prefix="/v1/games", description="Disputes")


@blueprint.get("/<string:game>/disputes/<string:dispute>/evidence-pack")
@Operation(
    EVIDENCE_VIEWERS,
    "EvidencePackAnswer",
    of(404, "no_such_dispute", "no_evidence_pack"),
    forms={MARKDOWN: "The pack as a text.", HTML: "The pack as a page."},
    links=OF_A_CASE,
)
@blueprint.arguments(EvidencePackQuery, location="query")
def read_evidence_pack(query: dict[str, Any], game: str, dispute: str) -> Response:
    """Read the evidence pack of a case. It shows hidden cards: until the end it is for arbiters only.

    A worker builds it when the case is opened, and a new one when more is said. As JSON these are the bytes
    whose SHA-256 stands in the dispute log; whoever has the whole record can build the same.
    """
    accepted = request.accept_mimetypes.best_match((JSON, MARKDOWN, HTML), JSON)
    found = services()
    log = found.dispute_resolution.disputes.of(game)
    case = case_in(log, dispute)
    sha256 = _chosen(log, case, query["sha256"])
    content = found.evidence.kept(game, sha256) if sha256 is not None else None
    if sha256 is None or content is None:
        raise _missing(case, is_named=sha256 is not None)
    return _show(content, sha256, accepted)


def _chosen(log: DisputeLog, case: Case, asked: str | None) -> str | None:
    """The hash of the pack that is asked for, or of the newest; None where the case has no such pack."""
    if asked is None or asked == case.pack:
        return case.pack
    happened = (entry.happened for entry in log.entries if entry.happened.case == case.number)
    packs = [each.event.sha256 for each in happened if isinstance(each.event, EvidencePackBuilt)]
    return asked if asked in packs else None


def _missing(case: Case, *, is_named: bool) -> Problem:
    if is_named:
        detail = (
            "This evidence pack was thrown away: kept are the newest ones of a case, and those that a ruling was"
            " given on. Whoever has the record and the dispute log can build it again."
        )
        return Problem(404, "no_evidence_pack", detail)
    if case.pack is None and case.pack_due and not case.is_over:
        detail = "The evidence pack of this case is being built; ask again in a moment."
        return Problem(404, "no_evidence_pack", detail)
    return Problem(404, "no_evidence_pack", "This case has no such evidence pack.")


def _show(content: bytes, sha256: str, form: str) -> Response:
    """A pack in one of its forms. A pack never changes, so its hash tells its forms apart too."""
    if form == JSON:
        response = Response(content, content_type=JSON)
    elif form == MARKDOWN:
        response = Response(render_markdown(read_pack(content)), content_type="text/markdown; charset=utf-8")
    else:
        response = Response(render_html(read_pack(content)), content_type="text/html; charset=utf-8")
        response.headers["Content-Security-Policy"] = f"{POLICY}; frame-ancestors 'none'"
    response.headers["ETag"] = f'"{sha256}"' if form == JSON else f'"{sha256}/{form}"'
    return response
