"""The shapes of disputes: opening a case, what is done about it, and what is told of it."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate

from events.disputes.state import KINDS, POSSIBLE, REASONS
from events.rules.interventions.rulings import HIGHEST_SCORE, LONGEST_REASON, LONGEST_SCOPE
from service.disputes.queue import MOST_LISTED
from service.http.schemas.answers import Answer, RuledAnswer
from service.http.schemas.members import CURSOR, SEAT, SIZE, Limit, Many, Number, Query, Text, Truth
from service.http.schemas.take_backs import SeenAnswer
from service.platform.setting_kinds import age_in_seconds

LONGEST_TEXT: Final = 4000
_TEXT: Final = (
    validate.Length(min=1, max=LONGEST_TEXT),
    validate.Predicate("strip", error="Say something: these are only spaces."),
)
_SCORE: Final = validate.Range(min=0, max=HIGHEST_SCORE)


def _shows(text: str) -> None:
    """Refuse characters that a game's log takes in no ruling, whether or not it is to stand there.

    Raises:
        ma.ValidationError
    """
    if not text.replace("\n", "").isprintable():
        raise ma.ValidationError("Printable characters and new lines only.")


class OpenDisputeRequest(ma.Schema):
    """Dispute what happened at a version of the game; with `pause` the game waits for the end of it."""

    reason = Text("What it is about.", validate.OneOf(REASONS))
    text = Text("What happened, as you see it; everybody at the table reads it.", *_TEXT)
    version = Number("The version of the game that you dispute.", SIZE)
    pause = Truth("`true`: a running game waits for the end of it.")


class EvidenceRequest(ma.Schema):
    """What else to judge a case by: a text, and the versions of the game that it is about."""

    text = Text("What else the arbiter should know.", *_TEXT)
    versions = Many(
        "The versions of the game that it is about.",
        fields.Integer(strict=True, validate=SIZE),
        validate.Length(max=50),
        default=list,
    )


class RulingRequest(ma.Schema):
    """A ruling: its kind, what it covers and why; and to which version, or who has won with which scores."""

    kind = Text("What is done about it.", validate.OneOf(KINDS))
    scope = Text(
        "What the ruling covers, such as `seat 2's offer of turn 7`; required.",
        validate.Length(max=LONGEST_SCOPE),
        _shows,
        default="",
    )
    reason = Text("Why; required.", validate.Length(max=LONGEST_REASON), _shows, default="")
    to_version = Number("The version that the game goes back to; of `rewound` only.", SIZE, default=None)
    winners = Many(
        "The seats that have won; of `awarded` and `replaced`.",
        fields.Integer(strict=True, validate=SEAT),
        validate.Length(max=10),
        default=list,
    )
    scores = Many(
        "What each seat has, in their order; of `replaced`.",
        fields.Integer(strict=True, validate=_SCORE),
        validate.Length(max=10),
        default=list,
    )
    seen_confirmed = Truth("`true`: you know which hidden cards were seen that a rewound game forgets.")


class AppealRequest(ma.Schema):
    """Why another arbiter should rule."""

    text = Text("What is wrong with the ruling.", *_TEXT)


class Age(fields.Field[int]):
    """An age such as `2d`, `12h`, `90m`, `60s`; loads as milliseconds."""

    def __init__(self, description: str) -> None:
        """None where it is not given."""
        described = {"type": "string", "maxLength": 10, "description": description}
        super().__init__(load_default=None, metadata=described)

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> int:
        try:
            return 1000 * age_in_seconds(str(value))
        except ValueError as error:
            raise ma.ValidationError("An age is a number with s, m, h or d after it, such as 2d.") from error


class QueueQuery(Query):
    """Which cases: all of what is asked for at once."""

    status = Text(
        "Only cases in this status.",
        validate.OneOf([each for each, possible in POSSIBLE.items() if possible]),
        default=None,
    )
    reason = Text("Only cases about this.", validate.OneOf(REASONS), default=None)
    game = Text("Only cases of this game.", validate.Length(min=1, max=64), default=None)
    older_than = Age(description="Only cases opened so long ago or longer: `2d`, `12h`, `90m`, `60s`.")
    limit = Limit(50, MOST_LISTED)
    cursor = CURSOR


class PersonAnswer(Answer):
    """Somebody: `seat:0` and so on, the id of a key, or `fieldbook`; and what they are called."""

    who = fields.String(required=True)
    name = fields.String(required=True)


class RulingAnswer(Answer):
    """A ruling as it was given; `until` is the end of the time for an appeal."""

    by = fields.Nested(PersonAnswer, required=True)
    at = fields.Integer(required=True)
    kind = fields.String(required=True)
    scope = fields.String(required=True)
    reason = fields.String(required=True)
    until = fields.Integer(required=True)
    to_version = fields.Integer(required=True, allow_none=True)
    winners = fields.List(fields.Integer(), required=True)
    scores = fields.List(fields.Integer(), required=True)
    seen = fields.List(fields.Dict(), required=True)
    seen_confirmed = fields.Boolean(required=True)


class DisputeAnswer(Answer):
    """A case as it stands. `possible` says what can be done in its status, and `until` (milliseconds) how long.

    `pack` is the SHA-256 of the newest evidence pack; `pack_due` says that one is to come.
    """

    game = fields.String(required=True)
    dispute = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(list(POSSIBLE)))
    possible = fields.List(fields.String(), required=True)
    until = fields.Integer(required=True, allow_none=True)
    reason = fields.String(required=True)
    text = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    pause = fields.Boolean(required=True)
    opener = fields.Nested(PersonAnswer, required=True)
    opened = fields.Integer(required=True)
    changed = fields.Integer(required=True)
    arbiter = fields.Nested(PersonAnswer, required=True, allow_none=True)
    evidence = fields.Integer(required=True)
    pack = fields.String(required=True, allow_none=True)
    pack_due = fields.Boolean(required=True)
    rulings = fields.List(fields.Nested(RulingAnswer), required=True)
    accepted = fields.List(fields.String(), required=True)
    appellant = fields.Nested(PersonAnswer, required=True, allow_none=True)
    appeal = fields.String(required=True)
    ending = fields.Dict(required=True, allow_none=True)


class CaseEventAnswer(Answer):
    """One entry of the game's dispute log. Its hash is over the hash before it and the canonical JSON of the rest."""

    game = fields.String(required=True)
    number = fields.Integer(required=True)
    case = fields.Integer(required=True)
    type = fields.String(required=True)
    at = fields.Integer(required=True)
    by = fields.Nested(PersonAnswer, required=True)
    data = fields.Dict(required=True)
    hash = fields.String(required=True)


class WholeDisputeAnswer(DisputeAnswer):
    """A case as it stands, with everything that happened in it."""

    events = fields.List(fields.Nested(CaseEventAnswer), required=True)


class DisputesAnswer(Answer):
    """All cases of a game; number and hash are those of the last entry of its dispute log."""

    game = fields.String(required=True)
    number = fields.Integer(required=True)
    hash = fields.String(required=True)
    ruled = fields.Nested(RuledAnswer, required=True, allow_none=True)
    disputes = fields.List(fields.Nested(DisputeAnswer), required=True)


class StepAnswer(Answer):
    """Where a case stands after a step: its status, and number and hash of the last entry."""

    game = fields.String(required=True)
    dispute = fields.Integer(required=True)
    status = fields.String(required=True)
    number = fields.Integer(required=True)
    hash = fields.String(required=True)


class PreviewAnswer(Answer):
    """What a ruling would change: in sentences, in versions that would not count any more, and on the table."""

    game = fields.String(required=True)
    dispute = fields.Integer(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    effects = fields.List(fields.String(), required=True)
    discarded = fields.List(fields.Integer(), required=True, allow_none=True)
    seen = fields.List(fields.Nested(SeenAnswer), required=True)
    redeal = fields.List(fields.String(), required=True)
    table = fields.Dict(required=True)
    branch = fields.String(required=True)


class QueuedAnswer(Answer):
    """A case that has not ended, as the queue has it."""

    game = fields.String(required=True)
    dispute = fields.Integer(required=True)
    status = fields.String(required=True)
    reason = fields.String(required=True)
    version = fields.Integer(required=True)
    opened = fields.Integer(required=True)
    opener = fields.String(required=True)
    until = fields.Integer(required=True, allow_none=True)
    arbiter = fields.String(required=True, allow_none=True)
    entries = fields.Integer(required=True)
    pack_due = fields.Boolean(required=True)


class QueueAnswer(Answer):
    """A page of the queue, oldest first; `next` is the cursor of the following page, or null."""

    disputes = fields.List(fields.Nested(QueuedAnswer), required=True)
    next = fields.String(required=True, allow_none=True)
