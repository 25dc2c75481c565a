"""Webhooks: registering addresses that are told of games, seeing how that goes, and having something told again."""

import secrets
from typing import Any

from flask import Response

from service.access.keys import Key
from service.http.context.acts import note
from service.http.context.callers import admit
from service.http.context.identity import fingerprint, request_id
from service.http.context.services import services
from service.http.contract.access import holders_of
from service.http.contract.headers import LOCATION
from service.http.contract.operation import Link, Operation, Resource
from service.http.contract.problems import COUNTED, LOG, NAMED, of
from service.http.contract.request_headers import KEY
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.messages.reading import json_body
from service.http.schemas.webhooks import (
    DeliveriesQuery,
    NewWebhookRequest,
)
from service.platform.clock import now_milliseconds
from service.webhooks.delivery.addresses import is_forbidden_literal
from service.webhooks.registry import SCOPE, TooManyWebhooks, disable
from service.webhooks.signing import secret_of, webhook_id
from service.webhooks.webhook import (
    ACTIVE,
    DISABLED,
    MOST_WEBHOOKS,
    UNVERIFIED,
    VERIFY,
    BadUrl,
    Webhook,
    check_url,
    host_of,
)

blueprint = Resource("webhooks", __name__, url_prefix="/v1/webhooks", description="Webhooks")
_HOLDERS = holders_of(SCOPE)
_WEBHOOK = NAMED | COUNTED | of(404, "webhook_not_found")
"""Where a webhook is named."""


@blueprint.get("")
@Operation(
    _HOLDERS,
    "WebhooksAnswer",
    COUNTED,
    links={"look": Link("show_webhook", {"webhook": "$response.body#/webhooks/0/id"}, "One of them.")},
)
def list_webhooks(holder: Key) -> Response:
    """List your webhooks, newest first; operators see those of all keys."""
    found = services().webhooks
    listed = found.all() if holder.is_operator else found.of(holder.id)
    return json_response({"webhooks": [_describe(each) for each in listed]})


@blueprint.post("")
@Operation(
    _HOLDERS,
    "NewWebhookAnswer",
    COUNTED
    | LOG
    | of(403, "game_not_finished", "not_your_game")
    | of(404, "game_not_found")
    | of(409, "too_many_webhooks")
    | of(422, "bad_webhook_url", "webhook_address_forbidden"),
    status=201,
    takes=(KEY,),
    gives=(LOCATION,),
    links={
        "look": Link("show_webhook", {"webhook": "$response.body#/id"}, "Whether it is active by now."),
        "ask_again": Link("verify_webhook", {"webhook": "$response.body#/id"}, "Have it asked again."),
        "deliveries": Link("list_deliveries", {"webhook": "$response.body#/id"}, "What it was told."),
        "remove": Link("delete_webhook", {"webhook": "$response.body#/id"}, "Have it told nothing more."),
    },
)
@blueprint.arguments(NewWebhookRequest)
def create_webhook(wanted: dict[str, Any], holder: Key) -> Response:
    """Register an address to be told of games; the answer holds the signing secret, which is not shown again.

    Before anything else the address is sent a challenge, and is told of games once it has answered with it.
    """
    named, now = request_id(), now_milliseconds()
    _check_place(wanted["url"])
    if wanted["game"] is not None:
        admit(wanted["game"])
    installation = services().store.installation
    webhook = Webhook(
        id=webhook_id(installation, holder.id, named),
        key=holder.id,
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
    if webhook.state == UNVERIFIED:
        services().deliveries.challenge(webhook.id, "first", now)
    answer = {**_describe(webhook), "secret": secret_of(installation, webhook.id)}
    return json_response(answer, 201, {"Location": f"/v1/webhooks/{webhook.id}"}, is_known=known)


@blueprint.get("/<string:webhook>")
@Operation(_HOLDERS, "WebhookAnswer", _WEBHOOK)
def show_webhook(webhook: str, holder: Key) -> Response:
    """Show a webhook, without its secret, and how its endpoint has been doing."""
    return json_response(_describe(_find(holder, webhook)))


@blueprint.delete("/<string:webhook>")
@Operation(_HOLDERS, "WebhookAnswer", _WEBHOOK)
def delete_webhook(webhook: str, holder: Key) -> Response:
    """Delete a webhook with all that waits for it: nothing is sent to it from now on."""
    found = _find(holder, webhook)
    _note(holder, found, "webhook_deleted")
    answer = _describe(found)
    services().webhooks.remove(found)
    services().deliveries.forget(found.id)
    return json_response(answer)


@blueprint.post("/<string:webhook>/verify")
@Operation(_HOLDERS, "WebhookAnswer", _WEBHOOK | of(403, "not_your_webhook"), status=202)
def verify_webhook(webhook: str, holder: Key) -> Response:
    """Have the endpoint asked again whether it wants to be told; so a disabled webhook becomes active again."""
    asked = _find(holder, webhook)
    if holder.id != asked.key:
        raise Problem(403, "not_your_webhook", "Only the key that made a webhook can have it verified.")
    if asked.state != ACTIVE:
        asked = _await_challenge(asked)
    services().deliveries.challenge(asked.id, secrets.token_hex(8), now_milliseconds())
    services().deliveries.hurry(asked.id, now_milliseconds())
    return json_response(_describe(asked), 202)


@blueprint.post("/<string:webhook>/disable")
@Operation(_HOLDERS, "WebhookAnswer", _WEBHOOK)
def disable_webhook(webhook: str, holder: Key) -> Response:
    """Tell a webhook nothing until it is verified again; what waits for it is kept as dead."""
    found = _find(holder, webhook)
    if found.state != DISABLED:
        _note(holder, found, "webhook_disabled")
    disable(
        services().webhooks,
        services().deliveries,
        found,
        "operator" if holder.id != found.key else "owner",
    )
    return json_response(_describe(_find(holder, webhook)))


@blueprint.get("/<string:webhook>/deliveries")
@Operation(
    _HOLDERS,
    "DeliveriesAnswer",
    _WEBHOOK,
    links={
        "again": Link(
            "redeliver",
            {"webhook": "$request.path.webhook", "delivery": "$response.body#/deliveries/0/id"},
            "Have it sent once more.",
        )
    },
)
@blueprint.arguments(DeliveriesQuery, location="query")
def list_deliveries(query: dict[str, Any], webhook: str, holder: Key) -> Response:
    """List the newest deliveries, newest first: those that wait, were delivered, or are dead."""
    found = _find(holder, webhook)
    listed = services().deliveries.newest(found.id, query["limit"], query["status"])
    return json_response({"webhook": found.id, "deliveries": [each.describe() for each in listed]})


@blueprint.post("/<string:webhook>/deliveries/<string:delivery>/redeliver")
@Operation(
    _HOLDERS,
    "DeliveryAnswer",
    _WEBHOOK | of(404, "delivery_not_found") | of(409, "webhook_not_active"),
    status=202,
)
def redeliver(webhook: str, delivery: str, holder: Key) -> Response:
    """Have a delivery sent once more, under the same id; one that waits goes on waiting."""
    found = _find(holder, webhook)
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
    return json_response(waiting.describe(), 202)


def _check_place(url: str) -> None:
    try:
        check_url(url)
    except BadUrl as error:
        raise Problem(422, "bad_webhook_url", str(error)) from None
    if is_forbidden_literal(host_of(url), services().webhook_networks):
        detail = (
            "Nothing is sent to private, local and other special addresses, unless the operator allows it."
        )
        raise Problem(422, "webhook_address_forbidden", detail)


def _await_challenge(webhook: Webhook) -> Webhook:
    """The webhook as one that has to show that it wants to be told; as it is where it was changed meanwhile."""
    asked = webhook.with_state(UNVERIFIED, now_milliseconds())
    if services().webhooks.replace(webhook, asked):
        return asked
    found = services().webhooks.get(webhook.id)
    if found is None:
        raise _no_webhook()
    return found


def _find(key: Key, webhook: str) -> Webhook:
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


def _describe(webhook: Webhook) -> dict[str, Any]:
    deliveries = services().deliveries
    health = deliveries.health(webhook.id)
    return {
        **webhook.describe(),
        "waiting": deliveries.waiting(webhook.id)[0],
        "failing_since": health.failing_since,
        "last_delivered": health.last_delivered,
    }
