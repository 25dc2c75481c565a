"""The shapes of disputes: opening a case, what is done about it, and what is told of it."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate

from events.disputes.facts import Person
from events.disputes.state import KINDS, POSSIBLE, REASONS, Case, Ruling
from events.rules.interventions.rulings import HIGHEST_SCORE, LONGEST_REASON, LONGEST_SCOPE
from service.disputes.disputes import Row
from service.disputes.queue import MOST_LISTED
from service.http.schemas.members import CURSOR, SEAT, SIZE, Limit, Many, Number, Query, Text, Truth
from service.http.schemas.shapes import (
    OBJECT,
    PAGE,
    RULED,
    Schema,
    describe_answer,
    list_of,
    members_of,
    one_of,
    or_null,
    refer,
)
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
    """Dispute what happened at a version of the game; with `pause` the game waits for it, a day at most."""

    reason = Text("What it is about.", validate.OneOf(REASONS))
    text = Text("What happened, as you see it; everybody at the table reads it.", *_TEXT)
    version = Number("The version of the game that you dispute.", SIZE)
    pause = Truth("`true`: a running game waits for the end of it, for a day at most, as it is configured.")


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


_PERSON: Final = refer("PersonAnswer")
_STEP: Final = {"game": str, "number": int, "hash": str}
"""A game and the last entry of its dispute log."""
_CASE: Final = members_of(Case, "number", "claims", "witnesses", "said") | {
    "game": str,
    "dispute": int,
    "status": one_of(*POSSIBLE),
    "possible": list[str],
    "awaited": list[str],
    "opener": _PERSON,
    "arbiter": or_null(_PERSON),
    "appellant": or_null(_PERSON),
    "rulings": list_of(refer("RulingAnswer")),
}
ANSWERS: Final[dict[str, Schema]] = {
    # Somebody: `seat:0` and so on, the id of a key, or `fieldbook`; and what they are called.
    "PersonAnswer": describe_answer(**members_of(Person)),
    # A ruling as it was given; `until` is the end of the time for an appeal.
    "RulingAnswer": describe_answer(**members_of(Ruling) | {"by": _PERSON}),
    # A case as it stands. `possible` says what can be done in its status, and `until` (milliseconds) how long.
    # `awaited` says who could still accept: with the last of them the ruling stands at once.
    # `pack` is the SHA-256 of the newest evidence pack; `pack_due` says that one is to come.
    "DisputeAnswer": describe_answer(**_CASE),
    # A case as it stands, with everything that happened in it.
    "WholeDisputeAnswer": describe_answer(**_CASE, events=list_of(refer("CaseEventAnswer"))),
    # One entry of the game's dispute log. Its hash is over the hash before it and the canonical JSON of the rest.
    "CaseEventAnswer": describe_answer(**_STEP, case=int, type=str, at=int, by=_PERSON, data=OBJECT),
    # All cases of a game.
    "DisputesAnswer": describe_answer(**_STEP, ruled=RULED, disputes=list_of(refer("DisputeAnswer"))),
    # Where a case stands after a step.
    "StepAnswer": describe_answer(**_STEP, dispute=int, status=str),
    # What a ruling would change: in sentences, in versions that would not count any more, and on the table.
    "PreviewAnswer": describe_answer(
        game=str,
        dispute=int,
        kind=one_of(*KINDS),
        effects=list[str],
        discarded=list[int] | None,
        seen=list_of(refer("SeenAnswer")),
        redeal=list[str],
        table=OBJECT,
        branch=str,
    ),
    # A case that has not ended, as the queue has it.
    "QueuedAnswer": describe_answer(**members_of(Row)),
    # A page of the queue, oldest first.
    "QueueAnswer": describe_answer(disputes=list_of(refer("QueuedAnswer")), **PAGE),
}
