"""What is asked for, and what a pack is as JSON."""

from marshmallow import fields

from service.http.schemas.answers import Answer
from service.http.schemas.members import Pattern, Query, Text


class EvidencePackQuery(Query):
    """Which pack of the case; without it the newest."""

    sha256 = Text(
        "The hash of one of the packs of the case; without it the newest.",
        Pattern(r"^[0-9a-f]{64}$", error="64 hex digits, in small letters."),
        default=None,
    )


class EvidencePackAnswer(Answer):
    """What an arbiter reads before ruling, as canonical JSON; the SHA-256 of its bytes stands in the dispute log."""

    format = fields.String(required=True)
    game = fields.String(required=True)
    system = fields.String(required=True)
    system_version = fields.Integer(required=True)
    dispute = fields.Dict(required=True)
    dispute_log = fields.Integer(required=True)
    head = fields.Dict(required=True)
    disputed = fields.Dict(required=True, allow_none=True)
    proof = fields.Dict(required=True, allow_none=True)
    verdict = fields.Dict(required=True)
    around = fields.List(fields.Dict(), required=True)
    arrivals = fields.List(fields.Dict(), required=True)
    time_used = fields.List(fields.Dict(), required=True)
    time_used_overall = fields.List(fields.Dict(), required=True)
    perspectives = fields.List(fields.Dict(), required=True)
    ways_back = fields.List(fields.Dict(), required=True)
    annotations = fields.List(fields.Dict(), required=True)
    rulings = fields.List(fields.Dict(), required=True)
