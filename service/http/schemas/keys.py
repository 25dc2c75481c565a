"""The shapes of requests and answers about keys, tokens of games, and operator acts."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from service.access.keys import INTEGRATOR, KINDS, LONGEST_NAME, SCOPES
from service.http.schemas.answers import Answer
from service.http.schemas.members import CURSOR, SIZE, Limit, Many, Number, Query, Text

_PRINTABLE = validate.Predicate("isprintable", error="A name has printable characters only.")
MOST_LISTED: Final = 200
"""Keys or acts on a page at most."""


class NewKeyRequest(ma.Schema):
    """A new key: an integrator's has the scopes that it names, an operator's may do everything."""

    name = Text(
        "What the key is for, for those who look after keys.",
        validate.Length(min=1, max=LONGEST_NAME),
        _PRINTABLE,
    )
    kind = Text(
        "`integrator`: may do what its scopes say. `operator`: may do everything.",
        validate.OneOf(KINDS),
        default=INTEGRATOR,
    )
    scopes = Many(
        "What an integrator's key may do; an operator's has none.",
        fields.String(validate=validate.OneOf(SCOPES)),
        validate.Length(max=20),
        default=list,
    )
    expires = Number(
        "When it ends by itself, in milliseconds since the epoch; null for never.", SIZE, default=None
    )

    @validates_schema
    def scopes_where_kind_is_integrator(self, data: dict[str, Any], **_others: Any) -> None:
        """Require scopes for an integrator's key and refuse them for an operator's, which has them all."""
        if (data.get("kind") == INTEGRATOR) != bool(data.get("scopes")):
            raise ma.ValidationError(
                "An integrator's key names its scopes; an operator's has none.", "scopes"
            )


class PageQuery(Query):
    """Which page of a list."""

    limit = Limit(50, MOST_LISTED, least=1)
    cursor = CURSOR


class SelfQuery(Query):
    """In which game: tokens of seats and spectators are good in one game only."""

    game = Text(
        "The id of a game: tokens of seats and spectators are good in one game only. Not needed for keys.",
        validate.Length(max=64),
        default=None,
    )


class NewSpectatorRequest(ma.Schema):
    """A token for a spectator; the name is for those who give it."""

    name = Text(
        "Who watches, for those who give the token.",
        validate.Length(max=LONGEST_NAME),
        _PRINTABLE,
        default="",
    )


class KeyAnswer(Answer):
    """A key; times are in milliseconds since the epoch."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    kind = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created = fields.Integer(required=True)
    created_by = fields.String(required=True)
    expires = fields.Integer(required=True, allow_none=True)
    revoked = fields.Integer(required=True, allow_none=True)
    last_used = fields.Integer(required=True, allow_none=True)


class NewKeyAnswer(KeyAnswer):
    """A key that was made, with its token, which is not shown again."""

    token = fields.String(required=True)


class KeysAnswer(Answer):
    """A page of keys, newest first; `next` is the cursor of the following page, or null."""

    keys = fields.List(fields.Nested(KeyAnswer), required=True)
    next = fields.String(required=True, allow_none=True)


class SelfAnswer(Answer):
    """What a token is."""

    kind = fields.String(required=True, validate=validate.OneOf([*KINDS, "seat", "spectator"]))


class SpectatorAnswer(Answer):
    """Somebody who was given a token to watch a game with."""

    spectator = fields.String(required=True)
    name = fields.String(required=True)
    given_by = fields.String(required=True)
    created = fields.Integer(required=True)


class NewSpectatorAnswer(SpectatorAnswer):
    """A spectator with the token, which is not shown again."""

    game = fields.String(required=True)
    token = fields.String(required=True)


class SpectatorsAnswer(Answer):
    """The spectators of a game whose tokens are good."""

    game = fields.String(required=True)
    spectators = fields.List(fields.Nested(SpectatorAnswer), required=True)


class DismissedAnswer(Answer):
    """A spectator whose token is good no more."""

    game = fields.String(required=True)
    spectator = fields.String(required=True)


class SeatTokenAnswer(Answer):
    """A seat with its new token, which is not shown again."""

    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    token = fields.String(required=True)


class ActAnswer(Answer):
    """Something that was done with a key: who (a key's id), what, about which key or game, and in which request."""

    id = fields.String(required=True)
    at = fields.Integer(required=True)
    who = fields.String(required=True)
    what = fields.String(required=True)
    about = fields.String(required=True)
    detail = fields.String(required=True)
    request = fields.String(required=True)


class ActsAnswer(Answer):
    """A page of acts, newest first; `next` is the cursor of the following page, or null."""

    acts = fields.List(fields.Nested(ActAnswer), required=True)
    next = fields.String(required=True, allow_none=True)
