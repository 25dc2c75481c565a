"""`fieldbook webhooks`: the webhooks that integrators have registered, for the operator."""

import sys
from typing import Any, Final

import click

from replay.platform.exit_status import FINDING
from replay.platform.safe_text import safe
from service.access.store import record_act
from service.cli.exit_status import query_store
from service.cli.output import format_time, json_option, print_json, print_table
from service.storage.store import Store
from service.webhooks.registry import Webhooks
from service.webhooks.registry import disable as disable_webhook
from service.webhooks.store import Deliveries
from service.webhooks.webhook import Webhook

SHOWN: Final = 20
"""How many deliveries of a webhook are shown."""
_COLUMNS: Final = (
    "id",
    "key",
    "url",
    "games",
    "state",
    "reason",
    "waiting",
    "failing since",
    "last delivered",
)


@click.group()
def webhooks() -> None:
    """List the registered webhooks, and disable one.

    Exit status: 0 fine, 1 no such webhook, 2 wrong use or no store.
    """


@webhooks.command("list")
@json_option
def list_webhooks(*, as_json: bool) -> None:
    """List all webhooks, newest first."""
    found = query_store(lambda store: [_describe(store, each) for each in Webhooks(store).all()])
    if as_json:
        print_json(found)
    else:
        print_table(_COLUMNS, [_row(each) for each in found])


@webhooks.command()
@click.argument("webhook")
@json_option
def show(*, webhook: str, as_json: bool) -> None:
    """Show a webhook with its newest deliveries."""

    def describe(store: Store) -> dict[str, Any]:
        known = _find_webhook(store, webhook)
        deliveries = Deliveries(store).newest(known.id, SHOWN)
        return {**_describe(store, known), "deliveries": [each.describe() for each in deliveries]}

    found = query_store(describe)
    if as_json:
        print_json(found)
        return
    print_table(_COLUMNS, [_row(found)])
    columns = ("id", "type", "game", "version", "status", "attempts", "error", "answered", "last", "next")
    rows = [
        [str(each[name]) if each[name] is not None else "" for name in columns[:8]]
        for each in found["deliveries"]
    ]
    times = [[format_time(each["last"]), format_time(each["next"])] for each in found["deliveries"]]
    print_table(columns, [row + time for row, time in zip(rows, times, strict=True)])


@webhooks.command()
@click.argument("webhook")
@json_option
def disable(*, webhook: str, as_json: bool) -> None:
    """Disable a webhook until its owner has it verified again."""

    def disable_known(store: Store) -> dict[str, Any]:
        known = _find_webhook(store, webhook)
        record_act(store, "webhook_disabled", known.id, known.key)
        disable_webhook(Webhooks(store), Deliveries(store), known, "operator")
        return _describe(store, _find_webhook(store, webhook))

    found = query_store(disable_known)
    if as_json:
        print_json(found)
    else:
        click.echo(f"{found['id']} is {found['state']}.")


def _find_webhook(store: Store, webhook: str) -> Webhook:
    found = Webhooks(store).get(webhook)
    if found is None:
        click.echo(f"There is no webhook {safe(webhook, 60)}.", err=True)
        sys.exit(FINDING)
    return found


def _describe(store: Store, webhook: Webhook) -> dict[str, Any]:
    deliveries = Deliveries(store)
    health = deliveries.health(webhook.id)
    return {
        **webhook.describe(),
        "waiting": deliveries.waiting(webhook.id)[0],
        "failing_since": health.failing_since,
        "last_delivered": health.last_delivered,
    }


def _row(found: dict[str, Any]) -> list[str]:
    games = found["game"] or found["games"]
    health = [
        str(found["waiting"]),
        format_time(found["failing_since"]),
        format_time(found["last_delivered"]),
    ]
    return [found["id"], found["key"], found["url"], games, found["state"], found["reason"] or "", *health]
