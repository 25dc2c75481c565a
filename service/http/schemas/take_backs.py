"""The shapes of taking back."""

import marshmallow as ma
from marshmallow import fields, validate

from service.http.schemas.answers import Answer
from service.http.schemas.members import VERSION, Number, Truth, means


class TakeBackRequest(ma.Schema):
    """A version to go back to."""

    to_version = Number(
        "The version to go back to: one after a whole command, at which somebody could act.", VERSION
    )
    seen_confirmed = Truth("Whether to go back although hidden cards have been seen since.")


class SeenAnswer(Answer):
    """Hidden cards that somebody has seen since: how many, and where they lay; which ones is not said."""

    what = fields.String(
        required=True,
        validate=validate.OneOf(["draw", "bonus", "hand", "bonus_hand", "offers", "coins"]),
        metadata=means("The pile that they were taken from, or the hand, offers or coins that showed them."),
    )
    seat = fields.Integer(required=True, allow_none=True)
    cards = fields.Integer(required=True, metadata=means("How many; 0 where they are not counted."))


class StopAnswer(Answer):
    """A version that the game can go back to, with its turn and phase, and what has been seen since."""

    version = fields.Integer(required=True)
    turn = fields.Integer(required=True)
    phase = fields.String(required=True)
    seen = fields.List(fields.Nested(SeenAnswer), required=True)


class TakeBacksAnswer(Answer):
    """What is asked for now, and what can be asked for."""

    game = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    take_back = fields.Dict(required=True, allow_none=True)
    versions = fields.List(fields.Nested(StopAnswer), required=True)
