"""Disputes of a game: opening a case, what is said about it, and the steps to a ruling that stands."""

import re
from dataclasses import asdict
from typing import Any, Final

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disputes import commands as c
from events.disputes.entries import Entry
from events.disputes.errors import DisputeRefused, NoSuchDispute
from events.disputes.state import POSSIBLE, Case
from service.clock import now_milliseconds
from service.disputes import DisputeLog
from service.http.asking import asked_first
from service.http.bodies import json_response
from service.http.disputants import (
    Disputant,
    arbiter,
    at_the_table,
    check_may_see,
    from_refusal,
    party,
    party_or_arbiter,
)
from service.http.identity import fingerprint, request_id
from service.http.reading import Parser
from service.http.schemas.disputes import (
    AppealRequest,
    DisputesAnswer,
    EvidenceRequest,
    OpenDisputeRequest,
    PreviewAnswer,
    RulingRequest,
    StepAnswer,
    WholeDisputeAnswer,
)
from service.http.schemas.requests import NoQuery
from service.http.services import services
from service.settling import Wish

blueprint = Blueprint("disputes", __name__, url_prefix="/v1/games", description="Disputes")
blueprint.ARGUMENTS_PARSER = Parser()
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@blueprint.route("/<string:game>/disputes")
class DisputesView(MethodView):
    """The cases of a game."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, DisputesAnswer)
    def get(self, _query: dict[str, Any], game: str) -> Response:
        """List the cases of a game. Until it has finished they are for the table, its creator and arbiters."""
        check_may_see(game)
        log = services().settling.disputes.of(game)
        cases = [shown_case(game, case) for case in log.cases]
        (ruled,) = services().settling.disputes.ruled([game])
        answer = {
            "game": game,
            "number": len(log.entries),
            "hash": log.hash,
            "ruled": msgspec.to_builtins(ruled),
        }
        return json_response({**answer, "disputes": cases})

    @asked_first(sender=at_the_table)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(OpenDisputeRequest)
    @blueprint.response(201, StepAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any], game: str, sender: Disputant) -> Response:
        """Open a case about a version of the game, as a seat or as the key that set the game up."""
        return _sent(game, "0", c.OpenDispute(**wanted), sender, wanted)


@blueprint.route("/<string:game>/disputes/<string:dispute>")
class DisputeView(MethodView):
    """One case."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, WholeDisputeAnswer)
    def get(self, _query: dict[str, Any], game: str, dispute: str) -> Response:
        """Show a case as it stands, with everything that has happened in it."""
        check_may_see(game)
        log = services().settling.disputes.of(game)
        case = case_in(log, dispute)
        events = [shown_entry(entry) for entry in log.entries if entry.happened.case == case.number]
        return json_response({**shown_case(game, case), "events": events})


@blueprint.route("/<string:game>/disputes/<string:dispute>/evidence")
class EvidenceView(MethodView):
    """What a case is judged by."""

    @asked_first(sender=party_or_arbiter)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(EvidenceRequest)
    @blueprint.response(200, StepAnswer)
    def post(
        self, _query: dict[str, Any], wanted: dict[str, Any], game: str, dispute: str, sender: Disputant
    ) -> Response:
        """Add evidence, as a party or as the arbiter who has claimed the case."""
        command = c.AddEvidence(wanted["text"], tuple(wanted["versions"]))
        return _sent(game, dispute, command, sender, wanted)


@blueprint.route("/<string:game>/disputes/<string:dispute>/withdrawal")
class WithdrawalView(MethodView):
    """The end of a case that nobody wants any more."""

    @asked_first(sender=party)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, StepAnswer)
    def post(self, _query: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
        """Withdraw a case that you have opened, until a ruling is given."""
        return _sent(game, dispute, c.Withdraw(), sender)


@blueprint.route("/<string:game>/disputes/<string:dispute>/claim")
class ClaimView(MethodView):
    """Who is the arbiter of a case."""

    @asked_first(sender=arbiter)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, StepAnswer)
    def post(self, _query: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
        """Claim a case, or the appeal against another arbiter's ruling."""
        return _sent(game, dispute, c.Claim(), sender)

    @asked_first(sender=arbiter)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, StepAnswer)
    def delete(self, _query: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
        """Leave a case that you have claimed to other arbiters."""
        return _sent(game, dispute, c.ReleaseClaim(), sender)


@blueprint.route("/<string:game>/disputes/<string:dispute>/rulings")
class RulingsView(MethodView):
    """Rulings in a case."""

    @asked_first(sender=arbiter)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(RulingRequest)
    @blueprint.response(200, StepAnswer)
    def post(
        self, _query: dict[str, Any], wanted: dict[str, Any], game: str, dispute: str, sender: Disputant
    ) -> Response:
        """Give the ruling in a case that you have claimed."""
        return _sent(game, dispute, _ruling(wanted), sender, wanted)


@blueprint.route("/<string:game>/disputes/<string:dispute>/previews")
class PreviewsView(MethodView):
    """Rulings that are only looked at."""

    @asked_first(sender=arbiter)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(RulingRequest)
    @blueprint.response(200, PreviewAnswer)
    def post(
        self, _query: dict[str, Any], wanted: dict[str, Any], game: str, dispute: str, sender: Disputant
    ) -> Response:
        """Say what a ruling in a case that you have claimed would change; nothing is written.

        It is refused like the ruling itself. The table is what everybody would see; play on from there in the branch.
        """
        try:
            case, sitting = services().settling.foreseen(
                _wish(game, dispute, _ruling(wanted), sender, wanted)
            )
        except DisputeRefused as refused:
            raise from_refusal(refused) from refused
        preview = services().previews.of(case, sitting)
        return json_response({"game": game, "dispute": case.number, **asdict(preview)})


@blueprint.route("/<string:game>/disputes/<string:dispute>/acceptance")
class AcceptanceView(MethodView):
    """Who agrees with a ruling."""

    @asked_first(sender=party)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, StepAnswer)
    def post(self, _query: dict[str, Any], game: str, dispute: str, sender: Disputant) -> Response:
        """Accept a ruling, as a party. Where all parties have, it stands at once."""
        return _sent(game, dispute, c.Accept(), sender)


@blueprint.route("/<string:game>/disputes/<string:dispute>/appeal")
class AppealView(MethodView):
    """The way to another arbiter."""

    @asked_first(sender=party)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(AppealRequest)
    @blueprint.response(200, StepAnswer)
    def post(
        self, _query: dict[str, Any], wanted: dict[str, Any], game: str, dispute: str, sender: Disputant
    ) -> Response:
        """Appeal against a ruling, as a party that has not accepted it."""
        return _sent(game, dispute, c.Appeal(wanted["text"]), sender, wanted)


def _sent(
    game: str, dispute: str, command: c.Command, sender: Disputant, body: dict[str, Any] | None = None
) -> Response:
    """The answer to a step of a case."""
    try:
        done, known = services().settling.send(_wish(game, dispute, command, sender, body))
    except DisputeRefused as refused:
        raise from_refusal(refused) from refused
    answer = {
        "game": game,
        "dispute": done.case,
        "status": done.status,
        "number": done.number,
        "hash": done.hash,
    }
    headers = {"Idempotent-Replayed": "true"} if known else {}
    if isinstance(command, c.OpenDispute):
        return json_response(answer, 201, {**headers, "Location": f"/v1/games/{game}/disputes/{done.case}"})
    return json_response(answer, headers=headers)


def _wish(
    game: str, dispute: str, command: c.Command, sender: Disputant, body: dict[str, Any] | None
) -> Wish:
    return Wish(
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


def shown_case(game: str, case: Case) -> dict[str, Any]:
    """A case as JSON."""
    shown: dict[str, Any] = msgspec.to_builtins(case)
    number = shown.pop("number")
    return {"game": game, "dispute": number, **shown, "possible": list(POSSIBLE[case.status])}


def shown_entry(entry: Entry) -> dict[str, Any]:
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
