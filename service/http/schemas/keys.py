"""The shapes of requests and answers about keys, tokens of games, and operator acts."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from service.access.audit_log import Act
from service.access.game_tokens import Spectator
from service.access.keys import INTEGRATOR, KINDS, LONGEST_NAME, SCOPES
from service.http.schemas.members import CURSOR, SIZE, Limit, Many, Name, Number, Pattern, Query, Text
from service.http.schemas.shapes import PAGE, Schema, describe_answer, list_of, members_of, one_of, refer
from service.players.ids import NAMESPACE

MOST_LISTED: Final = 200
"""Keys or acts on a page at most."""


class NewKeyRequest(ma.Schema):
    """A new key: an integrator's has the scopes that it names, an operator's may do everything."""

    name = Name("What the key is for, for those who look after keys.", longest=LONGEST_NAME)
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
    players = Text(
        "The namespace of the players that it names; keys may share one. Without it one of its own.",
        Pattern(rf"^({NAMESPACE})?$"),
        default="",
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

    name = Name("Who watches, for those who give the token.", longest=LONGEST_NAME, default="")


_KEY: Final[dict[str, Any]] = {
    "id": str,
    "name": str,
    "kind": str,
    "scopes": list[str],
    "created": int,
    "created_by": str,
    "expires": int | None,
    "revoked": int | None,
    "last_used": int | None,
    "players": str,
}
ANSWERS: Final[dict[str, Schema]] = {
    # A key; times are in milliseconds since the epoch.
    "KeyAnswer": describe_answer(**_KEY),
    # A key that was made, with its token, which is not shown again.
    "NewKeyAnswer": describe_answer(**_KEY, token=str),
    # A page of keys, newest first.
    "KeysAnswer": describe_answer(keys=list_of(refer("KeyAnswer")), **PAGE),
    # What a token is.
    "SelfAnswer": describe_answer(kind=one_of(*KINDS, "seat", "spectator")),
    # Somebody who was given a token to watch a game with.
    "SpectatorAnswer": describe_answer(**members_of(Spectator)),
    # A spectator with the token, which is not shown again.
    "NewSpectatorAnswer": describe_answer(**members_of(Spectator), game=str, token=str),
    # The spectators of a game whose tokens are good.
    "SpectatorsAnswer": describe_answer(game=str, spectators=list_of(refer("SpectatorAnswer"))),
    # A spectator whose token is good no more.
    "DismissedAnswer": describe_answer(game=str, spectator=str),
    # A seat with its new token, which is not shown again.
    "SeatTokenAnswer": describe_answer(game=str, seat=int, token=str),
    # Something that was done with a key: who (a key's id), what, about which key or game, and in which request.
    "ActAnswer": describe_answer(id=str, **members_of(Act)),
    # A page of acts, newest first.
    "ActsAnswer": describe_answer(acts=list_of(refer("ActAnswer")), **PAGE),
}
