"""The process that tells webhooks, killed in the middle; the documented endpoint; and the command line."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from replay.client import Fieldbook
from service.command_line import main
from tests.service.timekeeping.test_watching_processes import await_watching
from tests.service.webhooks.conftest import Telling
from tests.support.http_play import Party, events_of
from tests.support.processes import Service, free_port
from tests.support.receiver import Receiver, signature_of
from tests.support.servers import ROOT, eventually

SECONDS = 120.0
PLAYERS = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
NETWORKS = {"FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service whose webhooks may reach loopback."""
    with Service(tmp_path) as running:
        running.environment |= NETWORKS
        running.start("store", "web", "webhooks")
        running.await_ready()
        yield running


def test_a_killed_process_loses_nothing(service: Service, endpoint: Receiver) -> None:
    """Killed again and again while people play and the endpoint fails: each doorbell comes, repeated under one id."""
    key = service.key()
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", key)
    made = fieldbook.create_webhook(endpoint.url(), games="all")
    assert made.secret is not None
    eventually(lambda: fieldbook.webhook(made.id).state == "active", seconds=SECONDS)
    endpoint.ways = ["500", "hang", "close", "ok"]
    dice, parties = random.Random(5), []
    for number in range(4):
        new = fieldbook.create_game("classic", [each["name"] for each in PLAYERS])
        parties.append(Party(service.api, new.game, [str(each.token) for each in new.seats], dice))
        parties[-1].play(10)
        if number != 2:
            service.kill("webhooks")
            parties[-1].play(10)
            service.start("webhooks")

    def is_told() -> bool:
        started = {each.json["data"]["game"] for each in endpoint.told if each.type == "game.started"}
        waiting = fieldbook.webhook(made.id).waiting
        return waiting == 0 and started == {each.game for each in parties}

    eventually(is_told, seconds=SECONDS)
    for party in parties:
        told = [each for each in endpoint.told if each.json["data"]["game"] == party.game]
        first = list({each.id: each for each in told}.values())
        assert [each.type for each in first[:2]] == ["game.created", "game.started"]
        versions = [each.json["data"]["version"] for each in first]
        assert versions == sorted(versions)
        seen = fieldbook.table(party.game, viewer="public")
        assert first[-1].json["data"]["waiting_for"] == list(seen.waiting_for)
        heads = {each["entry"]["version"]: each["hash"] for each in events_of(service.api, party.game)}
        for each in told:
            assert each.headers["webhook-signature"] == signature_of(made.secret, each)
            assert each.json["data"]["hash"] == heads[each.json["data"]["version"]]
        same = {each.id: {other.body for other in told if other.id == each.id} for each in told}
        assert all(len(bodies) == 1 for bodies in same.values())
    delivered = fieldbook.deliveries(made.id, limit=200, status="delivered")
    assert {each.id for each in delivered} >= {each.id for each in endpoint.told}
    secret = made.secret.removeprefix("whsec_")
    assert all(secret not in service.log(name) for name in ("web", "webhooks"))


def test_whose_time_is_low_is_told_by_the_processes_at_work(service: Service, endpoint: Receiver) -> None:
    """The projector notes the moments, and who sends webhooks tells of them; each of a wait that was told before."""
    service.start("projector")
    await_watching(service)
    key = service.key()
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", key)
    made = fieldbook.create_webhook(endpoint.url(), events=["seat.awaited", "seat.time_low"])
    eventually(lambda: fieldbook.webhook(made.id).state == "active", seconds=SECONDS)
    clock = {"bank": 0, "increment": 0, "cap": 5, "answer": 5, "grace": 0}
    body = {"system": "classic", "seats": PLAYERS, "clock": clock}
    game = service.api.call("POST", "/v1/games", body, token=key).json["game"]

    def told(kind: str) -> list[Any]:
        data = [each.json["data"] for each in endpoint.told if each.type == kind]
        return [(each["game"], time) for each in data for time in each["times"]]

    eventually(lambda: len(told("seat.time_low")) > 1, seconds=SECONDS)
    eventually(lambda: all(each in told("seat.awaited") for each in told("seat.time_low")), seconds=SECONDS)
    assert {each for each, _ in told("seat.time_low")} == {game}


def test_the_documented_endpoint_works_as_printed(service: Service, tmp_path: Path) -> None:
    """It agrees to be told, believes nobody else, and hears of a game."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", service.key())
    made = fieldbook.create_webhook(address)
    printed = tmp_path / "printed"
    with printed.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "docs" / "examples" / "webhook.py"), str(port)],
            env={**os.environ, "WEBHOOK_SECRET": str(made.secret)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        fieldbook.verify_webhook(made.id)
        eventually(lambda: fieldbook.webhook(made.id).state == "active", seconds=SECONDS)
        game = fieldbook.create_game("classic", [each["name"] for each in PLAYERS]).game
        eventually(lambda: f"game.started {game} [0]" in printed.read_text(), seconds=SECONDS)
        assert fieldbook.webhooks()[0].id == made.id
        again = next(each for each in fieldbook.deliveries(made.id) if each.type == "game.started")
        eventually(lambda: fieldbook.webhook(made.id).waiting == 0, seconds=SECONDS)
        assert fieldbook.redeliver(made.id, again.id).status == "waiting"
        eventually(lambda: fieldbook.webhook(made.id).waiting == 0, seconds=SECONDS)
        assert len(re.findall("game.started", printed.read_text())) == 1
        fieldbook.delete_webhook(made.id)
        assert fieldbook.webhooks() == ()
    finally:
        process.terminate()
        process.wait(SECONDS)


def test_the_operator_sees_and_stops_webhooks(
    telling: Telling, endpoint: Receiver, store_environment: dict[str, str]
) -> None:
    """By whoever can reach the store; and it stands in the trail."""
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.tell()

    def run(*arguments: str, status: int = 0) -> Any:
        done = CliRunner().invoke(main, ["webhooks", *arguments, "--json"], env=store_environment)
        assert done.exit_code == status, done.output
        return json.loads(done.output) if status == 0 else done.output

    assert [each["id"] for each in run("list")] == [made["id"]]
    assert len(run("show", made["id"])["deliveries"]) == 4
    assert (run("disable", made["id"])["state"], telling.shown(made["id"])["reason"]) == (
        "disabled",
        "operator",
    )
    run("show", "wh_0", status=1)
    acts = telling.api.store.connection.command("XRANGE", "{operator}:acts", "-", "+")
    assert b"webhook_disabled" in acts[-1][1][1]
    for arguments in (["list"], ["show", made["id"]]):
        plain = CliRunner().invoke(main, ["webhooks", *arguments], env=store_environment)
        assert plain.exit_code == 0
        assert made["id"] in plain.output
