"""Every rule system over HTTP: what it can be set up with, and bots that play to the end in real processes."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.rules.definition.rule_system import RuleSystem
from events.rules.systems.registry import BY_KEY
from tests.service.in_process import InProcess
from tests.support.depth import depth
from tests.support.http_play import await_verdict
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import ROOT, eventually

every_system = pytest.mark.parametrize("system", BY_KEY.values(), ids=lambda system: system.key)
OPTIONS = {name: option for system in BY_KEY.values() for name, option in system.options.items()}
WRONG = ("", "Strict", "true", "False", "0", "RANDOM", -1, 2, 10, 10**30)
"""What few options may be; where one may, the value is left out."""


def created(api: InProcess, system: RuleSystem, players: int, **options: object) -> tuple[int, Any]:
    """Status and body of the answer to a new game."""
    body = {"system": system.key, "seats": [None] * players, "options": options}
    answer = api.call("POST", "/v1/games", body, token=api.key)
    return answer.status, answer.json


@every_system
def test_every_value_that_a_system_lists_can_be_chosen(api: InProcess, system: RuleSystem) -> None:
    """For each number of players; the state gives every option, those left out with their defaults."""
    listed = api.get(f"/v1/systems/{system.key}")
    assert {*listed["options"]} == {*system.options}
    for players in listed["players"]:
        for name, described in listed["options"].items():
            values = [value for value in described["values"] if value != "seats"]
            seats = range(players) if "seats" in described["values"] else ()
            for value in (*values, *seats):
                status, made = created(api, system, players, **{name: value})
                assert status == 201, (name, value)
                chosen = api.get(f"/v1/games/{made['game']}")["options"]
                assert chosen == {each: listed["options"][each]["default"] for each in chosen} | {name: value}
                assert {*chosen} == {*listed["options"]}
                assert type(chosen[name]) is type(value)


@every_system
def test_every_other_value_is_refused(api: InProcess, system: RuleSystem) -> None:
    """`bad_option` for what an option cannot be: another type too, and a seat that the table does not have."""
    for players in system.players:
        for name, option in system.options.items():
            allowed = {(type(value), value) for value in option.allowed(players)}
            wrong = [*WRONG, True, False, 0, 1, players, "seats", "lenient", "strict", "random"]
            for value in wrong:
                if (type(value), value) not in allowed:
                    status, body = created(api, system, players, **{name: value})
                    assert (status, body["code"]) == (422, "bad_option"), (name, value)
                    assert str(players - 1) in body["detail"] or name != "start_seat"


@every_system
def test_an_option_of_another_system_is_unknown(api: InProcess, system: RuleSystem) -> None:
    """Also with the default that it has there, and in the company of options that the system has."""
    for name, option in OPTIONS.items():
        if name not in system.options:
            for more in ({}, {"start_seat": "random"}):
                status, body = created(api, system, system.players[0], **{name: option.default}, **more)
                assert (status, body["code"]) == (422, "unknown_option")
                assert name in body["detail"]


@every_system
def test_a_system_is_played_by_as_many_as_it_says(api: InProcess, system: RuleSystem) -> None:
    """Any other number of seats is refused."""
    for players in range(1, 11):
        status, body = created(api, system, players)
        assert (status, body.get("code")) == (
            (201, None) if players in system.players else (422, "wrong_players")
        )


@every_system
@pytest.mark.parametrize("value", [None, 1.0, 1.5, [0], {"seat": 0}, "x" * 101])
def test_an_option_is_a_text_a_whole_number_or_a_truth_value(
    api: InProcess, system: RuleSystem, value: object
) -> None:
    """Anything else is another shape, whatever the option."""
    status, body = created(api, system, system.players[0], start_seat=value)
    assert (status, body["code"]) == (422, "schema_violation")


# --- as real processes -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a running service with everything that belongs to it."""
    with Service(tmp_path_factory.mktemp("service")) as service:
        service.start(*EVERYTHING)
        service.await_ready()
        yield service


@pytest.mark.deep
@every_system
def test_bots_play_every_system_to_a_verdict_and_a_record_that_verifies(
    service: Service, tmp_path: Path, system: RuleSystem
) -> None:
    """With the fewest players it is for, in `make soak` the most; the record is verified without the service."""
    seats = [
        {
            "name": f"Bot {number}",
            "kind": "bot",
            "bot": ("greedy", "random")[number % 2],
            "seed": f"seed-{number}",
        }
        for number in range(system.players[depth(0, -1)])
    ]
    body = {"system": system.key, "seats": seats, "options": {"start_seat": "random"}}
    made = service.api.call("POST", "/v1/games", body, token=service.key())
    assert made.status == 201, made.body
    path = f"/v1/games/{made.json['game']}"
    eventually(lambda: bool(service.api.call("GET", path).json["status"] == "finished"), seconds=120)
    assert await_verdict(service.api, made.json["game"]) == "valid"
    record = tmp_path / "game.ndjson"
    record.write_bytes(service.api.call("GET", f"{path}/record").body)
    verified = subprocess.run(
        [sys.executable, "-m", "replay", "verify", str(record)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert verified.returncode == 0, verified.stdout
    for shown in (
        f"rule system   {system.key},",
        f"catalogue     {system.catalogue} (",
        "status        finished",
    ):
        assert shown in verified.stdout
