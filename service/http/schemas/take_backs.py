"""The shapes of taking back."""

from typing import Final

import marshmallow as ma

from service.http.schemas.members import VERSION, Number, Truth
from service.http.schemas.shapes import AT, OBJECT, Schema, describe_answer, list_of, one_of, or_null, refer


class TakeBackRequest(ma.Schema):
    """A version to go back to."""

    to_version = Number(
        "The version to go back to: one after a whole command, at which somebody could act.", VERSION
    )
    seen_confirmed = Truth("Whether to go back although hidden cards have been seen since.")


ANSWERS: Final[dict[str, Schema]] = {
    # Hidden cards that somebody has seen since: how many, and where they lay; which ones is not said.
    "SeenAnswer": describe_answer(
        what={
            **one_of("draw", "bonus", "hand", "bonus_hand", "offers", "coins"),
            "description": "The pile that they were taken from, or the hand, offers or coins that showed them.",
        },
        seat=int | None,
        cards={"type": "integer", "description": "How many; 0 where they are not counted."},
    ),
    # A version that the game can go back to, with its turn and phase, and what has been seen since.
    "StopAnswer": describe_answer(version=int, turn=int, phase=str, seen=list_of(refer("SeenAnswer"))),
    # What is asked for now, and what can be asked for.
    "TakeBacksAnswer": describe_answer(
        **AT, take_back=or_null(OBJECT), versions=list_of(refer("StopAnswer"))
    ),
}
