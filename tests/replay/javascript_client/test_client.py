"""The JavaScript client in Node: what it sends counts once, what it follows has no gap, what it hears is checked."""

import copy
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.curt_server import CurtServer, Told
from tests.support.http_play import events_of
from tests.support.javascript_client import JavaScriptClient, Rejected
from tests.support.lossy_proxy import LossyProxy
from tests.support.processes import Service
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT, eventually

COMMANDS = "/v1/games/{game}/commands"


def test_a_program_plays_and_hears_every_entry_once(service: Service, client: JavaScriptClient) -> None:
    """By legal commands; it goes away in between and comes again, and everything that it hears holds."""
    done = client.call("trial", key=service.key())

    assert done["heard"] == [*range(1, done["version"] + 1)]
    assert done["entries"] == done["version"]
    assert "Bohnanza" in done["refused"]
    assert done["legal"] > 0


def test_the_program_of_the_page_runs(service: Service, tmp_path: Path) -> None:
    """docs/clients.md: as it stands there, where the package is installed."""
    (code,) = re.findall(r"```js\n(.*?)```", (ROOT / "docs" / "clients.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "fieldbook").symlink_to(ROOT / "replay", target_is_directory=True)
    (tmp_path / "program.mjs").write_text(code, "utf-8")
    address = f"http://127.0.0.1:{service.port}"
    done = subprocess.run(
        [node_program(), "program.mjs", address, service.key()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "bean_planted" in done.stdout
    assert "Well?" in done.stdout
    assert "refused: wrong_phase, Bohnanza" in done.stdout
    assert done.stdout.endswith(" entries hold\n")


def test_a_command_whose_answer_is_lost_counts_once(
    service: Service, client: JavaScriptClient, network: LossyProxy
) -> None:
    """It is sent again with the same key, and gets the answer of the first time."""
    party = service.people(1)
    before = len(events_of(party.api, party.game))
    network.lose_next_reply()
    done = client.ask(
        "POST",
        COMMANDS,
        values={"game": party.game},
        token=party.tokens[0],
        body={"type": "plant", "field": 0},
    )

    assert network.lost > 0
    planted = [each["entry"]["type"] for each in events_of(party.api, party.game)[before:]]
    assert planted.count("bean_planted") == 1
    assert done["version"] == before + len(planted)


def test_what_is_refused_is_an_error_of_its_kind(service: Service, client: JavaScriptClient) -> None:
    """With the code, the section of the booklet, and what would be legal instead."""
    party = service.people(2)
    seat = {"values": {"game": party.game}, "token": party.tokens[0]}
    plant = {"type": "plant", "field": 0}
    begun = events_of(party.api, party.game)[0]["hash"]
    refused = {
        "RefusedByTheRules": {**seat, "body": {"type": "draw"}},
        "Invalid": {**seat, "body": {"type": "plant", "field": "first"}},
        "Stale": {**seat, "body": plant, "headers": {"If-Match": f'"1-{begun[:8]}"'}},
        "NotPermitted": {**seat, "body": plant, "token": "fbs_" + "0" * 40},
        "NotFound": {**seat, "body": plant, "values": {"game": "nosuchgame"}},
    }
    found = {}
    for name, asked in refused.items():
        with pytest.raises(Rejected) as caught:
            client.ask("POST", COMMANDS, **asked)
        found[name] = caught.value.found
    with pytest.raises(Rejected) as caught:
        client.ask("GET", "/v1/games/{game}/events", values={"game": party.game, "after": "3-00000000"})

    assert {name: each["name"] for name, each in found.items()} == {name: name for name in refused}
    assert found["RefusedByTheRules"]["section"]
    assert found["RefusedByTheRules"]["body"]["legal_commands"]
    assert caught.value.found["name"] == "HistoryLost"


def test_a_stream_that_is_cut_goes_on_without_a_gap(
    service: Service, client: JavaScriptClient, network: LossyProxy
) -> None:
    """Twice; with the table first or from a cursor, each entry comes once, also those of the time between."""
    party = service.people(3)
    begun = newest = len(events_of(party.api, party.game))
    where = {"game": party.game, "token": party.tokens[1]}
    client.call("follow", name="from now", **where)
    client.call("follow", name="from the beginning", after=0, isChecked=True, **where)
    eventually(lambda: "view" in client.heard("from now")["others"])
    eventually(lambda: len(client.heard("from the beginning")["heard"]) == begun)

    for _ in range(2):
        network.cut()
        party.play(4)
        newest = len(events_of(party.api, party.game))
        for name in ("from now", "from the beginning"):
            eventually(partial(_has_heard, client, name, newest))

    assert client.heard("from now")["heard"] == [*range(begun + 1, newest + 1)]
    assert client.heard("from the beginning")["heard"] == [*range(1, newest + 1)]
    assert client.heard("from now")["connections"][:3] == [True, False, True]
    assert client.heard("from now")["others"].count("view") == 1

    for name in ("from now", "from the beginning"):
        client.call("leave", name=name)
    eventually(lambda: client.heard("from now")["ended"] == "over")


def test_a_stream_of_a_game_that_ends_ends_with_it(service: Service, client: JavaScriptClient) -> None:
    """So does one that begins behind the last entry; one of no game is an error."""
    party = service.people(4)
    client.call("follow", name="to the end", game=party.game, after=0, token=party.tokens[0])
    party.send(0, {"type": "offer_end", "kind": "drawn"})
    for seat in (1, 2):
        party.send(seat, {"type": "accept_end"})
    eventually(lambda: client.heard("to the end")["ended"] == "over")
    newest = len(events_of(party.api, party.game))
    assert client.heard("to the end")["heard"] == [*range(1, newest + 1)]

    client.call("follow", name="behind it", game=party.game, after=newest)
    client.call("follow", name="of no game", game="nosuchgame")
    eventually(lambda: client.heard("behind it")["ended"] == "over")
    eventually(lambda: client.heard("of no game")["ended"] == "NotFound")


def test_what_does_not_hold_is_not_told_as_if_it_did(service: Service, client: JavaScriptClient) -> None:
    """An entry that was changed, one that was another one before, a hash that was made up, another game's receipt."""
    party = service.people(5)
    where = {"game": party.game, "token": party.tokens[0]}
    begun = client.call("begin_check", name="kept", **where)
    (receipt,) = begun["kept"]
    for name in ("changed", "told before", "made up"):
        assert client.call("begin_check", name=name, **where)["version"] == begun["version"]
    party.play(3)
    lines = events_of(party.api, party.game, party.tokens[0])
    new, old = lines[begun["version"]], lines[begun["version"] - 1]

    assert client.call("check", name="kept", line=old) == begun["version"]
    assert client.call("check", name="kept", line=lines[-1]) == len(lines)
    doctored: dict[str, Any] = {
        "changed": _with(new, lambda line: line["entry"].update(at=line["entry"]["at"] + 1)),
        "told before": _with(old, lambda line: line["entry"].update(at=line["entry"]["at"] + 1)),
        "made up": _with(new, lambda line: line.update(hash="0" * 64)),
    }
    for name, line in doctored.items():
        for _ in range(2):
            with pytest.raises(Rejected) as caught:
                client.call("check", name=name, line=line)
            assert (caught.value.name, caught.value.found["check"]) == ("NotVerified", "chain")
            assert caught.value.found["version"] == line["entry"]["version"]

    other = service.people(6)
    with pytest.raises(Rejected) as caught:
        client.call("begin_check", name="other", game=other.game, receipts=[receipt])
    assert caught.value.found["check"] == "signature"


def test_an_entry_that_comes_while_the_record_is_read_waits_for_it(
    service: Service, client: JavaScriptClient
) -> None:
    """Those between come with the record; nothing is taken for one that does not follow."""
    party = service.people(7)
    party.play(3)
    (*_, last) = events_of(party.api, party.game, party.tokens[0])
    found = client.call("check_while_reading", game=party.game, line=last, token=party.tokens[0])

    assert 0 < found["during"] < last["entry"]["version"]
    assert found["version"] == last["entry"]["version"]


def _has_heard(client: JavaScriptClient, name: str, version: int) -> bool:
    return version in client.heard(name)["heard"]


def _with(line: Any, change: Any) -> Any:
    changed = copy.deepcopy(line)
    change(changed)
    return changed


def test_one_key_goes_with_all_tries() -> None:
    """After a connection that was closed, one that broke off in the answer, and answers that say later."""
    later = {"Retry-After": "0"}
    tries = (
        Told(),
        Told(200, '{"half": ', {"Content-Length": "50"}),
        Told(503, "{}", later),
        Told(429, "{}", later),
        Told(502, "Bad Gateway", later),
        Told(200, '{"version": 7}'),
    )
    with CurtServer(*tries) as server, JavaScriptClient(server.address) as client:
        assert client.ask("POST", "/v1/games", body={}) == {"version": 7}
        assert client.ask("POST", "/v1/games", body={}, key="mine") == {"version": 7}
        assert client.ask("GET", "/v1/games/{game}", values={"game": "a/b", "at": None, "as": "seat:1"})
    (first, *others), last, asked = server.asked[: len(tries)], server.asked[-2], server.asked[-1]

    assert first[2]
    assert others == [first] * (len(tries) - 1)
    assert last == ("POST", "/v1/games", "mine")
    assert asked == ("GET", "/v1/games/a%2Fb?as=seat%3A1", None)


def test_who_does_not_answer_is_unreachable() -> None:
    """When the patience is over, or what is answered is not of a service; what can never be sent fails at once."""
    answers = (Told(503, "{}", {"Retry-After": "3600"}), Told(200, "<html>"))
    with CurtServer(*answers) as server, JavaScriptClient(server.address) as client:
        with pytest.raises(Rejected) as caught:
            client.ask("GET", "/v1/games")
        assert (caught.value.name, caught.value.found["status"]) == ("Problem", 503)
        with pytest.raises(Rejected) as caught:
            client.ask("GET", "/v1/games")
        assert caught.value.name == "Unreachable"
        with pytest.raises(Rejected) as caught:
            client.ask("GET", "/v1/games/{game}")
        assert caught.value.name == "TypeError"
    with JavaScriptClient(server.address, patience=0) as client, pytest.raises(Rejected) as caught:
        client.ask("GET", "/v1/games")
    assert caught.value.name == "Unreachable"
