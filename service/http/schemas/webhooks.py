"""The shapes of requests and answers about webhooks and their deliveries."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from service.http.schemas.members import Limit, Many, Query, Text
from service.http.schemas.shapes import OBJECT, Schema, describe_answer, list_of, one_of, or_null, refer
from service.webhooks.deliveries import STATUSES
from service.webhooks.webhook import EVENTS, GAMES, LONGEST_URL, STATES

MOST_DELIVERIES = 200
"""Deliveries in one answer at most."""


class NewWebhookRequest(ma.Schema):
    """A new webhook: where to, of what, and of which games."""

    url = Text(
        "Where to send what happens: an `https://` or `http://` address on the public internet.",
        validate.Length(min=1, max=LONGEST_URL),
    )
    events = Many(
        "What to tell; without it everything.",
        fields.String(validate=validate.OneOf(tuple(EVENTS))),
        validate.Length(min=1, max=20),
        default=list(EVENTS),
    )
    games = Text(
        "Of which games: those that the key sets up (`own`), all that it would find in the list "
        "(`all`), or `one`.",
        validate.OneOf(GAMES),
        default="own",
    )
    game = Text("The id of that game, with `games` `one` only.", validate.Length(min=1, max=64), default=None)

    @validates_schema
    def game_where_it_is_about_one(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the game's id where the webhook is about one, and refuse it where it is not."""
        if (data.get("games") == "one") != bool(data.get("game")):
            raise ma.ValidationError("Name the game where `games` is `one`, and only there.", "game")


class DeliveriesQuery(Query):
    """Which deliveries."""

    limit = Limit(50, MOST_DELIVERIES, least=1)
    status = Text("Only deliveries in this status.", validate.OneOf(STATUSES), default=None)


_WEBHOOK: Final[dict[str, Any]] = {
    "id": str,
    "key": str,
    "url": str,
    "events": list_of(one_of(*EVENTS)),
    "games": one_of(*GAMES),
    "game": str | None,
    "created": int,
    "state": one_of(*STATES),
    "reason": str | None,
    "since": int,
    "waiting": int,
    "failing_since": int | None,
    "last_delivered": int | None,
}
ANSWERS: Final[dict[str, Schema]] = {
    # A webhook; times are in milliseconds since the epoch. `since` says since when it is in its state, `reason` why
    # it is not active, `failing_since` since when its endpoint has failed at every attempt.
    "WebhookAnswer": describe_answer(**_WEBHOOK),
    # A webhook that was made, with the secret that signs what is sent to it, which is not shown again.
    "NewWebhookAnswer": describe_answer(**_WEBHOOK, secret=str),
    # All webhooks of the key, newest first; for an operator those of all keys.
    "WebhooksAnswer": describe_answer(webhooks=list_of(refer("WebhookAnswer"))),
    # Something that a webhook was told or has to be told; the id is the header `webhook-id` of every attempt.
    # `payload` is what is sent (null for a challenge, which is made anew each time), `error` what went wrong the
    # last time, `answered` the status of the endpoint's last answer, `next` when it may be tried again.
    "DeliveryAnswer": describe_answer(
        id=str,
        type=str,
        created=int,
        status=one_of(*STATUSES),
        attempts=int,
        game=str | None,
        payload=or_null(OBJECT),
        error=str | None,
        **dict.fromkeys(("version", "last", "next", "answered"), int | None),
    ),
    # The newest deliveries of a webhook, newest first.
    "DeliveriesAnswer": describe_answer(webhook=str, deliveries=list_of(refer("DeliveryAnswer"))),
}
