"""The shapes of requests and answers about webhooks and their deliveries."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from service.http.schemas.answers import Answer
from service.http.schemas.members import Limit, Many, Query, Text
from service.webhooks.store import STATUSES
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


class WebhookAnswer(Answer):
    """A webhook; times are in milliseconds since the epoch.

    `since` says since when it is in its state, `reason` why it is not active, `failing_since` since when its endpoint
    has failed at every attempt.
    """

    id = fields.String(required=True)
    key = fields.String(required=True)
    url = fields.String(required=True)
    events = fields.List(fields.String(validate=validate.OneOf(tuple(EVENTS))), required=True)
    games = fields.String(required=True, validate=validate.OneOf(GAMES))
    game = fields.String(required=True, allow_none=True)
    created = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    reason = fields.String(required=True, allow_none=True)
    since = fields.Integer(required=True)
    waiting = fields.Integer(required=True)
    failing_since = fields.Integer(required=True, allow_none=True)
    last_delivered = fields.Integer(required=True, allow_none=True)


class NewWebhookAnswer(WebhookAnswer):
    """A webhook that was made, with the secret that signs what is sent to it, which is not shown again."""

    secret = fields.String(required=True)


class WebhooksAnswer(Answer):
    """All webhooks of the key, newest first; for an operator those of all keys."""

    webhooks = fields.List(fields.Nested(WebhookAnswer), required=True)


class DeliveryAnswer(Answer):
    """Something that a webhook was told or has to be told; the id is the header `webhook-id` of every attempt.

    `payload` is what is sent (null for a challenge, which is made anew each time), `error` what went wrong the last
    time, `answered` the status of the endpoint's last answer, `next` when it may be tried again.
    """

    id = fields.String(required=True)
    type = fields.String(required=True)
    game = fields.String(required=True, allow_none=True)
    version = fields.Integer(required=True, allow_none=True)
    payload = fields.Dict(required=True, allow_none=True)
    created = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    attempts = fields.Integer(required=True)
    last = fields.Integer(required=True, allow_none=True)
    next = fields.Integer(required=True, allow_none=True)
    error = fields.String(required=True, allow_none=True)
    answered = fields.Integer(required=True, allow_none=True)


class DeliveriesAnswer(Answer):
    """The newest deliveries of a webhook, newest first."""

    webhook = fields.String(required=True)
    deliveries = fields.List(fields.Nested(DeliveryAnswer), required=True)
