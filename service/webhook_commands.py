"""`fieldbook webhooks`: what integrators have registered, how it goes, and stopping it, for the operator."""

import json
import sys
from typing import Any, Final

import click

from events.redis_store import RedisEventStore
from replay.safe_text import safe
from service.key_commands import as_json_option, on_store, print_table, time_of
from service.operator_acts import record_act
from service.webhooks.deliveries import Deliveries
from service.webhooks.disabling import disable as disable_webhook
from service.webhooks.registry import Webhooks
from service.webhooks.webhook import Webhook

FINDING: Final = 1
SHOWN: Final = 20
"""Deliveries that are shown of a webhook."""
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
    """List and stop the addresses that are told of games.

    Exit status: 0 fine, 1 no such webhook, 2 wrong use or no store.
    """


@webhooks.command("list")
@as_json_option
def list_webhooks(*, as_json: bool) -> None:
    """List all webhooks, newest first."""
    found = on_store(lambda store: [_described(store, each) for each in Webhooks(store).all()])
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        print_table(_COLUMNS, [_row(each) for each in found])


@webhooks.command()
@click.argument("webhook")
@as_json_option
def show(*, webhook: str, as_json: bool) -> None:
    """Show a webhook with its newest deliveries."""

    def shown(store: RedisEventStore) -> dict[str, Any]:
        known = _known(store, webhook)
        deliveries = Deliveries(store).newest(known.id, SHOWN)
        return {**_described(store, known), "deliveries": [each.described() for each in deliveries]}

    found = on_store(shown)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    print_table(_COLUMNS, [_row(found)])
    columns = ("id", "type", "game", "version", "status", "attempts", "error", "answered", "last", "next")
    rows = [
        [str(each[name]) if each[name] is not None else "" for name in columns[:8]]
        for each in found["deliveries"]
    ]
    times = [[time_of(each["last"]), time_of(each["next"])] for each in found["deliveries"]]
    print_table(columns, [row + time for row, time in zip(rows, times, strict=True)])


@webhooks.command()
@click.argument("webhook")
@as_json_option
def disable(*, webhook: str, as_json: bool) -> None:
    """Tell a webhook nothing until its owner has it verified again."""

    def disabled(store: RedisEventStore) -> dict[str, Any]:
        known = _known(store, webhook)
        record_act(store, "webhook_disabled", known.id, known.key)
        disable_webhook(Webhooks(store), Deliveries(store), known, "operator")
        return _described(store, _known(store, webhook))

    found = on_store(disabled)
    click.echo(json.dumps(found, indent=2) if as_json else f"{found['id']} is {found['state']}.")


def _known(store: RedisEventStore, webhook: str) -> Webhook:
    found = Webhooks(store).get(webhook)
    if found is None:
        click.echo(f"There is no webhook {safe(webhook, 60)}.", err=True)
        sys.exit(FINDING)
    return found


def _described(store: RedisEventStore, webhook: Webhook) -> dict[str, Any]:
    deliveries = Deliveries(store)
    health = deliveries.health(webhook.id)
    return {
        **webhook.described(),
        "waiting": deliveries.waiting(webhook.id)[0],
        "failing_since": health.failing_since,
        "last_delivered": health.last_delivered,
    }


def _row(found: dict[str, Any]) -> list[str]:
    games = found["game"] or found["games"]
    told = [str(found["waiting"]), time_of(found["failing_since"]), time_of(found["last_delivered"])]
    return [found["id"], found["key"], found["url"], games, found["state"], found["reason"] or "", *told]
