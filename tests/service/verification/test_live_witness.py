"""A service as its real processes, and a witness as another: a game ends, and an auditor can say when."""

import hashlib
import json
import time
from pathlib import Path

import pytest

from events.transparency.signed_note import VerifierKey
from tests.replay.commands.commands import run
from tests.support.processes import Service
from tests.support.servers import eventually
from tests.support.witness import RunningWitness, Witness

BOTS = [{"name": name, "kind": "bot", "bot": "greedy"} for name in ("Ann", "Ben")]


def a_game(service: Service, seed: str = "") -> str:
    """A game of two bots that has been played to its end."""
    seats = [{**BOTS[0], **({"seed": seed} if seed else {})}, BOTS[1]]
    body = {"system": "the-duel", "seats": seats}
    game = service.api.call("POST", "/v1/games", body, token=service.key()).json["game"]
    eventually(lambda: service.api.call("GET", f"/v1/games/{game}").json["status"] == "finished")
    return str(game)


def fetch(service: Service, path: str, file: Path) -> Path:
    """What the service has at a path, in a file."""
    answer = service.api.call("GET", path)
    assert answer.status == 200, answer.body
    file.write_bytes(answer.body)
    return file


@pytest.fixture(name="service")
def a_service(tmp_path: Path) -> Service:
    """A service without a projector, which is started when its witness is known."""
    return Service(tmp_path / "service")


def test_a_game_is_dated_by_a_witness_and_nothing_waits_for_it(service: Service, tmp_path: Path) -> None:
    """Cosigned within seconds; while the witness is away all goes on, and when it is back it catches up."""
    (tmp_path / "service").mkdir(exist_ok=True)
    with service:
        service.start("store", "web", "worker", "bots")
        service.await_ready()
        published = service.api.call("GET", "/v1/signing-keys").json["keys"][-1]["key"]
        cosigner = Witness("witness.test/w1", VerifierKey.parse(published), time.time)
        witness = RunningWitness(cosigner)
        service.start("projector", FIELDBOOK_WITNESSES=f"{witness.key}={witness.url}")
        eventually(lambda: service.api.call("GET", "/v1/log/checkpoint?cosigned=true").status == 200)
        earlier = fetch(service, "/v1/log/checkpoint?cosigned=true", tmp_path / "earlier")
        begun = int(1000 * time.time())

        game = a_game(service, hashlib.sha256(earlier.read_bytes()).hexdigest())
        path = f"/v1/games/{game}/record"
        eventually(lambda: b"witness.test/w1" in service.api.call("GET", path).body)
        record = fetch(service, path, tmp_path / "game.ndjson")
        trust = ("--key", published, "--witness", str(witness.key), "--earlier", earlier)
        said = run("verify", record, *trust, "--json")
        assert said.returncode == 0, said.stdout
        bounds = json.loads(said.stdout)["bounds"]
        assert bounds["not_earlier"] <= begun <= bounds["not_later"] + 1000 <= 1000 * time.time() + 1000
        assert bounds["not_earlier_from"] > 0
        assert run("verify", record, "--key", published).returncode == 0

        witness.stop()
        second = a_game(service)
        path = f"/v1/games/{second}/record"
        record = fetch(service, path, tmp_path / "second.ndjson")
        assert run("verify", record, "--key", published).returncode == 0
        refused = run("verify", record, "--key", published, "--witness", str(witness.key))
        assert (refused.returncode, "no witness of yours" in refused.stdout) == (1, True)
        eventually(lambda: "has not co-signed" in service.log("projector"))

        with RunningWitness(cosigner, witness.port) as again:
            eventually(lambda: b"witness.test/w1" in service.api.call("GET", path).body)
            record = fetch(service, path, tmp_path / "second.ndjson")
            assert run("verify", record, "--key", published, "--witness", str(again.key)).returncode == 0


def test_a_projector_does_not_start_with_witnesses_that_are_none(service: Service, tmp_path: Path) -> None:
    """Nor does any other process, whoever reads the setting."""
    (tmp_path / "service").mkdir(exist_ok=True)
    with service:
        service.start("store", "web")
        service.await_ready()
        for name in ("projector", "worker"):
            service.start(name, FIELDBOOK_WITNESSES="beans+1+2=http://witness.test")
            assert service.await_end(name) == 2
            assert "FIELDBOOK_WITNESSES must be" in service.log(name)
