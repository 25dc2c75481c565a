"""Disputes of a game: opening a case, what is said about it, and the steps to a ruling that stands."""

import re
from dataclasses import asdict
from typing import Any, Final

import msgspec
from flask import Response

from events.disputes import commands as c
from events.disputes.entries import DisputeEntry
from events.disputes.errors import DisputeRefused, NoSuchDispute
from events.disputes.state import Case, Cases
from service.disputes.dispute_resolution import DisputeRequest
from service.disputes.disputes import DisputeLog
from service.http.context.disputants import Disputant, from_refusal
from service.http.context.identity import fingerprint, request_id
from service.http.context.services import services
from service.http.contract.access import ARBITERS, CASE_VIEWERS, OPENERS, PARTIES, PARTIES_AND_ARBITERS
from service.http.contract.headers import LOCATION
from service.http.contract.operation import SAME_CASE, SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import APPENDING, BOUND, VERSION, of
from service.http.contract.request_headers import KEY
from service.http.messages.bodies import json_response
from service.http.schemas.disputes import (
    AppealRequest,
    EvidenceRequest,
    OpenDisputeRequest,
    RulingRequest,
)
from service.http.schemas.queries import LanguageQuery
from service.platform.clock import now_milliseconds

blueprint = Resource("disputes", __name__, url_prefix="/v1/games", description="Disputes")
_OPENED: Final = {**SAME_GAME, "dispute": "$response.body#/dispute"}
_AFTER_OPENING: Final = {
    "look": Link("show_dispute", _OPENED, "How the case stands."),
    "evidence": Link("read_evidence_pack", _OPENED, "What the log says about it, in a moment."),
    "prove": Link("add_evidence", _OPENED, "Say more about it."),
    "withdraw": Link("withdraw_dispute", _OPENED, "Take it back."),
    "claim": Link("claim_dispute", _OPENED, "Take it on as an arbiter."),
}
OF_A_CASE: Final = {"look": Link("show_dispute", SAME_CASE, "How the case stands.")}
_DISPUTED: Final = APPENDING | of(404, "no_such_dispute") | of(409, "too_late", "wrong_case_status")
"""Where something is done about a case."""
_ARBITRATED: Final = _DISPUTED | of(403, "not_the_arbiter", "own_game")
_RULED: Final = (
    _ARBITRATED
    | of(409, "already_applied")
    | of(
        422,
        "contradicts_log",
        "deal_must_stay",
        "ruling_without_reason",
        "ruling_without_scope",
        "seen_unconfirmed",
    )
)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@blueprint.get("/<string:game>/disputes")
@Operation(
    CASE_VIEWERS,
    "DisputesAnswer",
    links={
        "look": Link(
            "show_dispute", {**SAME_GAME, "dispute": "$response.body#/disputes/0/dispute"}, "One of them."
        )
    },
)
def list_disputes(game: str) -> Response:
    """List the cases of a game. Until it has finished they are for the table, its creator and arbiters."""
    log = services().dispute_resolution.disputes.of(game)
    cases = describe_cases(game, log.cases)
    (ruled,) = services().dispute_resolution.disputes.ruled([game])
    answer = {
        "game": game,
        "number": len(log.entries),
        "hash": log.hash,
        "ruled": ruled,
    }
    return json_response({**answer, "disputes": cases})


@blueprint.post("/<string:game>/disputes")
@Operation(
    OPENERS,
    "StepAnswer",
    APPENDING
    | VERSION
    | of(409, "already_disputed", "too_late", "too_many_disputes", "too_many_pauses", "too_much_evidence"),
    status=201,
    takes=(KEY,),
    gives=(LOCATION,),
    links=_AFTER_OPENING,
)
@blueprint.arguments(OpenDisputeRequest)
def open_dispute(wanted: dict[str, Any], game: str, sender: Disputant) -> Response:
    """Open a case about a version of the game, as a seat or as the key that set the game up."""
    return _send(game, "0", c.OpenDispute(**wanted), sender, wanted)


@blueprint.get("/<string:game>/disputes/<string:dispute>")
@Operation(CASE_VIEWERS, "WholeDisputeAnswer", of(404, "no_such_dispute"), links=OF_A_CASE)
def show_dispute(game: str, dispute: str) -> Response:
    """Show a case as it stands, with everything that has happened in it."""
    log = services().dispute_resolution.disputes.of(game)
    case = case_in(log, dispute)
    events = [describe_entry(entry) for entry in log.entries if entry.happened.case == case.number]
    (shown,) = describe_cases(game, (case,))
    return json_response({**shown, "events": events})


@blueprint.post("/<string:game>/disputes/<string:dispute>/evidence")
@Operation(
    PARTIES_AND_ARBITERS,
    "StepAnswer",
    _DISPUTED | VERSION | of(409, "too_much_evidence"),
    takes=(KEY,),
    links=OF_A_CASE,
)
@blueprint.arguments(EvidenceRequest)
def add_evidence(wanted: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
    """Add evidence, as a party or as the arbiter who has claimed the case."""
    command = c.AddEvidence(wanted["text"], tuple(wanted["versions"]))
    return _send(game, dispute, command, sender, wanted)


@blueprint.post("/<string:game>/disputes/<string:dispute>/withdrawal")
@Operation(PARTIES, "StepAnswer", _DISPUTED | of(403, "not_the_opener"), takes=(KEY,), links=OF_A_CASE)
def withdraw_dispute(game: str, dispute: str, sender: Disputant) -> Response:
    """Withdraw a case that you have opened, until a ruling is given."""
    return _send(game, dispute, c.Withdraw(), sender)


@blueprint.post("/<string:game>/disputes/<string:dispute>/resumption")
@Operation(PARTIES, "StepAnswer", _DISPUTED, takes=(KEY,), links=OF_A_CASE)
def ask_to_go_on(game: str, dispute: str, sender: Disputant) -> Response:
    """Ask that a game which waits for a case goes on while that is decided.

    It does once whoever had it wait has asked, or all others at the table have.
    """
    return _send(game, dispute, c.AskToGoOn(), sender)


@blueprint.post("/<string:game>/disputes/<string:dispute>/claim")
@Operation(
    ARBITERS,
    "StepAnswer",
    _ARBITRATED | of(403, "same_arbiter") | of(409, "too_many_claims"),
    takes=(KEY,),
    links=OF_A_CASE,
)
def claim_dispute(game: str, dispute: str, sender: Disputant) -> Response:
    """Claim a case, or the appeal against another arbiter's ruling."""
    return _send(game, dispute, c.Claim(), sender)


@blueprint.delete("/<string:game>/disputes/<string:dispute>/claim")
@Operation(ARBITERS, "StepAnswer", _ARBITRATED, takes=(KEY,), links=OF_A_CASE)
def release_dispute(game: str, dispute: str, sender: Disputant) -> Response:
    """Leave a case that you have claimed to other arbiters."""
    return _send(game, dispute, c.ReleaseClaim(), sender)


@blueprint.post("/<string:game>/disputes/<string:dispute>/rulings")
@Operation(ARBITERS, "StepAnswer", _RULED, takes=(KEY,), links=OF_A_CASE)
@blueprint.arguments(RulingRequest)
def give_ruling(wanted: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
    """Give the ruling in a case that you have claimed."""
    return _send(game, dispute, _ruling(wanted), sender, wanted)


@blueprint.post("/<string:game>/disputes/<string:dispute>/previews")
@Operation(
    ARBITERS,
    "PreviewAnswer",
    _RULED | BOUND,
    links={"rule": Link("give_ruling", SAME_CASE, "Give the ruling that was looked at.")},
)
@blueprint.arguments(LanguageQuery, location="query")
@blueprint.arguments(RulingRequest)
def preview_ruling(
    query: dict[str, Any], wanted: dict[str, Any], game: str, dispute: str, sender: Disputant
) -> Response:
    """Say what a ruling in a case that you have claimed would change; nothing is written.

    It is refused like the ruling itself. The table is what everybody would see; play on from there in the branch.
    """
    try:
        case, loaded = services().dispute_resolution.preview(
            _request_in(game, dispute, _ruling(wanted), sender, wanted)
        )
    except DisputeRefused as refused:
        raise from_refusal(refused) from refused
    preview = services().previews.of(case, loaded, query["text"])
    return json_response({"game": game, "dispute": case.number, **asdict(preview)})


@blueprint.post("/<string:game>/disputes/<string:dispute>/acceptance")
@Operation(PARTIES, "StepAnswer", _DISPUTED, takes=(KEY,), links=OF_A_CASE)
def accept_ruling(game: str, dispute: str, sender: Disputant) -> Response:
    """Accept a ruling, as a party. Where all parties have, it stands at once."""
    return _send(game, dispute, c.Accept(), sender)


@blueprint.post("/<string:game>/disputes/<string:dispute>/appeal")
@Operation(
    PARTIES,
    "StepAnswer",
    _DISPUTED | of(409, "already_accepted", "too_much_evidence"),
    takes=(KEY,),
    links=OF_A_CASE,
)
@blueprint.arguments(AppealRequest)
def appeal(wanted: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
    """Appeal against a ruling, as a party that has not accepted it."""
    return _send(game, dispute, c.Appeal(wanted["text"]), sender, wanted)


def _send(
    game: str, dispute: str, command: c.Command, sender: Disputant, body: dict[str, Any] | None = None
) -> Response:
    """The answer to a step of a case."""
    try:
        done, known = services().dispute_resolution.send(_request_in(game, dispute, command, sender, body))
    except DisputeRefused as refused:
        raise from_refusal(refused) from refused
    answer = {
        "game": game,
        "dispute": done.case,
        "status": done.status,
        "number": done.number,
        "hash": done.hash,
    }
    if isinstance(command, c.OpenDispute):
        place = {"Location": f"/v1/games/{game}/disputes/{done.case}"}
        return json_response(answer, 201, place, is_known=known)
    return json_response(answer, is_known=known)


def _request_in(
    game: str, dispute: str, command: c.Command, sender: Disputant, body: dict[str, Any] | None
) -> DisputeRequest:
    return DisputeRequest(
        game=game,
        case=_number(dispute),
        command=command,
        by=sender.person,
        at=now_milliseconds(),
        request=request_id(),
        fingerprint=fingerprint(body),
        arbitrates=sender.arbitrates,
    )


def _ruling(wanted: dict[str, Any]) -> c.GiveRuling:
    lists = {name: tuple(wanted[name]) for name in ("winners", "scores")}
    return c.GiveRuling(**{**wanted, **lists})


def describe_cases(game: str, cases: Cases) -> list[dict[str, Any]]:
    """Cases of a game as JSON."""
    awaited = services().dispute_resolution.list_awaited(game, cases)
    return [_describe(game, case, who) for case, who in zip(cases, awaited, strict=True)]


def _describe(game: str, case: Case, awaited: tuple[str, ...]) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(case)
    number = shown.pop("number")
    for counted in ("claims", "said"):
        del shown[counted]
    return {
        "game": game,
        "dispute": number,
        **shown,
        "possible": list(case.possible),
        "awaited": list(awaited),
    }


def describe_entry(entry: DisputeEntry) -> dict[str, Any]:
    """An entry of a dispute log as JSON."""
    return {**entry.written, "hash": entry.hash}


def case_in(log: DisputeLog, dispute: str) -> Case:
    """The case that an address names.

    Raises:
        Problem: 404, there is none.
    """
    number = _number(dispute)
    if not 1 <= number <= len(log.cases):
        raise from_refusal(
            NoSuchDispute(f"This game has {len(log.cases)} cases; there is no case {dispute[:20]}.")
        )
    return log.cases[number - 1]


def _number(dispute: str) -> int:
    """The number that an address names; 0, which no case has, where it is none."""
    return int(dispute) if _NUMBER.fullmatch(dispute) else 0
