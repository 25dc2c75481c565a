"""Webhooks: registering addresses that are told of games, seeing how that goes, and having something told again."""

import secrets
from typing import Any

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.clock import now_milliseconds
from service.http.acts import note
from service.http.bearers import key_holder
from service.http.bodies import json_response
from service.http.callers import admitted
from service.http.identity import fingerprint, request_id
from service.http.problems import Problem
from service.http.reading import Parser, json_body
from service.http.schemas.requests import NoQuery
from service.http.schemas.webhooks import (
    MOST_DELIVERIES,
    DeliveriesAnswer,
    DeliveriesQuery,
    DeliveryAnswer,
    NewWebhookAnswer,
    NewWebhookRequest,
    WebhookAnswer,
    WebhooksAnswer,
)
from service.http.services import services
from service.keys import Key
from service.webhooks.addresses import is_forbidden_literal
from service.webhooks.disabling import disable
from service.webhooks.registry import SCOPE, TooManyWebhooks, WebhookReused
from service.webhooks.signing import secret_of, webhook_id
from service.webhooks.webhook import (
    ACTIVE,
    MOST_WEBHOOKS,
    UNVERIFIED,
    VERIFY,
    BadUrl,
    Webhook,
    checked_url,
    host_of,
)

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("")
class WebhooksView(MethodView):
    """A key's webhooks."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, WebhooksAnswer)
    def get(self, _query: dict[str, Any]) -> Response:
        """List your webhooks, newest first; operators see those of all keys."""
        key, found = key_holder(SCOPE), services().webhooks
        listed = found.all() if key.is_operator else found.of(key.id)
        return json_response({"webhooks": [_described(each) for each in listed]})

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(NewWebhookRequest)
    @blueprint.response(201, NewWebhookAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any]) -> Response:
        """Register an address to be told of games; the answer holds the signing secret, which is not shown again.

        Before anything else the address is sent a challenge, and is told of games once it has answered with it.
        """
        key, named, now = key_holder(SCOPE), request_id(), now_milliseconds()
        _check_place(wanted["url"])
        if wanted["game"] is not None:
            admitted(wanted["game"])
        installation = services().store.installation
        webhook = Webhook(
            id=webhook_id(installation, key.id, named),
            key=key.id,
            url=wanted["url"],
            events=tuple(dict.fromkeys(wanted["events"])),
            games=wanted["games"],
            game=wanted["game"] or "",
            created=now,
            since=now,
            fingerprint=fingerprint(json_body()),
        )
        try:
            webhook, known = services().webhooks.add(webhook)
        except TooManyWebhooks:
            detail = f"A key has {MOST_WEBHOOKS} webhooks at most; delete one that is not needed any more."
            raise Problem(409, "too_many_webhooks", detail) from None
        except WebhookReused:
            detail = "This Idempotency-Key was used for another request; choose a new one."
            raise Problem(422, "idempotency_key_reused", detail) from None
        if webhook.state == UNVERIFIED:
            services().deliveries.challenge(webhook.id, "first", now)
        headers = {
            "Location": f"/v1/webhooks/{webhook.id}",
            **({"Idempotent-Replayed": "true"} if known else {}),
        }
        secret = secret_of(installation, webhook.id)
        return json_response({**_described(webhook), "secret": secret}, 201, headers)


@blueprint.route("/<string:webhook>")
class WebhookView(MethodView):
    """One webhook."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, WebhookAnswer)
    def get(self, _query: dict[str, Any], webhook: str) -> Response:
        """Show a webhook, without its secret, and how its endpoint has been doing."""
        return json_response(_described(_found(key_holder(SCOPE), webhook)))

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, WebhookAnswer)
    def delete(self, _query: dict[str, Any], webhook: str) -> Response:
        """Delete a webhook with all that waits for it: nothing is sent to it from now on."""
        key = key_holder(SCOPE)
        found = _found(key, webhook)
        _note(key, found, "webhook_deleted")
        answer = _described(found)
        services().webhooks.remove(found)
        services().deliveries.forget(found.id)
        return json_response(answer)


@blueprint.route("/<string:webhook>/verify")
class VerifyView(MethodView):
    """Asking an endpoint again."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(202, WebhookAnswer)
    def post(self, _query: dict[str, Any], webhook: str) -> Response:
        """Have the endpoint asked again whether it wants to be told; so a disabled webhook becomes active again."""
        key = key_holder(SCOPE)
        asked = _found(key, webhook)
        if key.id != asked.key:
            raise Problem(403, "not_your_webhook", "Only the key that made a webhook can have it verified.")
        if asked.state != ACTIVE:
            asked = _turned(asked)
        services().deliveries.challenge(asked.id, secrets.token_hex(8), now_milliseconds())
        services().deliveries.hurry(asked.id, now_milliseconds())
        return json_response(_described(asked), 202)


@blueprint.route("/<string:webhook>/disable")
class DisableView(MethodView):
    """Stopping a webhook for a while."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, WebhookAnswer)
    def post(self, _query: dict[str, Any], webhook: str) -> Response:
        """Tell a webhook nothing until it is verified again; what waits for it is kept as dead."""
        key = key_holder(SCOPE)
        found = _found(key, webhook)
        _note(key, found, "webhook_disabled")
        disable(
            services().webhooks, services().deliveries, found, "operator" if key.id != found.key else "owner"
        )
        return json_response(_described(_found(key, webhook)))


@blueprint.route("/<string:webhook>/deliveries")
class DeliveriesView(MethodView):
    """What a webhook was told."""

    @blueprint.arguments(DeliveriesQuery, location="query")
    @blueprint.response(200, DeliveriesAnswer)
    def get(self, query: dict[str, Any], webhook: str) -> Response:
        """List the newest deliveries, newest first: those that wait, were delivered, or are dead."""
        found = _found(key_holder(SCOPE), webhook)
        limit = min(query["limit"], MOST_DELIVERIES)
        listed = services().deliveries.newest(found.id, limit, query["status"])
        return json_response({"webhook": found.id, "deliveries": [each.described() for each in listed]})


@blueprint.route("/<string:webhook>/deliveries/<string:delivery>/redeliver")
class RedeliverView(MethodView):
    """Having something told once more."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(202, DeliveryAnswer)
    def post(self, _query: dict[str, Any], webhook: str, delivery: str) -> Response:
        """Have a delivery sent once more, under the same id; one that waits goes on waiting."""
        found = _found(key_holder(SCOPE), webhook)
        known = services().deliveries.get(found.id, delivery)
        if known is None or known.type == VERIFY:
            raise _no_delivery()
        if found.state != ACTIVE:
            detail = f"This webhook is {found.state}; have it verified: POST /v1/webhooks/{found.id}/verify."
            raise Problem(409, "webhook_not_active", detail)
        if not services().deliveries.again(found.id, known, now_milliseconds()):
            raise _no_delivery()
        waiting = services().deliveries.get(found.id, delivery)
        if waiting is None:
            raise _no_delivery()
        return json_response(waiting.described(), 202)


def _check_place(url: str) -> None:
    try:
        checked_url(url)
    except BadUrl as error:
        raise Problem(422, "bad_webhook_url", str(error)) from None
    if is_forbidden_literal(host_of(url), services().webhook_networks):
        detail = (
            "Nothing is sent to private, local and other special addresses, unless the operator allows it."
        )
        raise Problem(422, "webhook_address_forbidden", detail)


def _turned(webhook: Webhook) -> Webhook:
    """The webhook as one that has to show that it wants to be told; as it is where it was changed meanwhile."""
    asked = webhook.turned(UNVERIFIED, now_milliseconds())
    if services().webhooks.replace(webhook, asked):
        return asked
    found = services().webhooks.get(webhook.id)
    if found is None:
        raise _no_webhook()
    return found


def _found(key: Key, webhook: str) -> Webhook:
    """A webhook of this key, or for an operator of any.

    Raises:
        Problem: 404, also for one of another key.
    """
    found = services().webhooks.get(webhook)
    if found is None or not (key.is_operator or found.key == key.id):
        raise _no_webhook()
    return found


def _no_webhook() -> Problem:
    return Problem(404, "webhook_not_found", "You have no webhook with this id.")


def _no_delivery() -> Problem:
    return Problem(404, "delivery_not_found", "This webhook has no such delivery, or it is kept no more.")


def _note(key: Key, webhook: Webhook, what: str) -> None:
    """Write down what an operator does with a webhook of somebody else."""
    if key.id != webhook.key:
        note(key, what, webhook.id, webhook.key)


def _described(webhook: Webhook) -> dict[str, Any]:
    deliveries = services().deliveries
    health = deliveries.health(webhook.id)
    return {
        **webhook.described(),
        "waiting": deliveries.waiting(webhook.id)[0],
        "failing_since": health.failing_since,
        "last_delivered": health.last_delivered,
    }
