"""Taking back by consent: asked, agreed, declined, over HTTP; the log keeps all of it."""

import random
from typing import Any

import pytest

from replay.verification.verify import verify_lines
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party

PLANT = {"type": "plant", "field": 0}


def send(api: InProcess, party: Party, part: str, body: Any, seat: int, **headers: str) -> Answer:
    """Send to the game as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.call("POST", f"/v1/games/{party.game}/{part}", body, token=party.tokens[seat], headers=named)


def table_of(api: InProcess, party: Party, seat: int = 0) -> Any:
    """The table as a seat sees it."""
    return api.call("GET", f"/v1/games/{party.game}", token=party.tokens[seat]).json


def test_all_agree_and_the_game_goes_back(api: InProcess) -> None:
    """With the last agreement; the log keeps what was taken back."""
    party = api.people()
    before = table_of(api, party)
    assert send(api, party, "commands", PLANT, 0).status == 200
    asked = send(api, party, "take-backs", {"to_version": before["version"], "seen_confirmed": True}, 0)
    assert asked.status == 200, asked.body
    assert table_of(api, party)["take_back"] == {"seat": 0, "to_version": before["version"], "agreed": [0]}
    assert table_of(api, party)["waiting_for"] == [1, 2]
    assert send(api, party, "take-backs/agreement", None, 1).status == 200
    last = send(api, party, "take-backs/agreement", None, 2)
    assert [event["entry"]["type"] for event in last.json["events"]] == ["take_back_agreed", "game_rewound"]
    after = table_of(api, party)
    assert after["version"] == before["version"] + 5
    assert (after["take_backs"], after["redealt"]) == (1, 0)
    same = {name: before[name] for name in ("seats", "phase", "active", "turn", "draw_pile", "take_back")}
    assert {name: after[name] for name in same} == same


def test_while_it_is_open_nothing_but_talk_and_answers_is_accepted(api: InProcess) -> None:
    """The refusal says who asked, and what to do; the list of legal commands says the same."""
    party = api.people()
    version = table_of(api, party)["version"]
    assert send(api, party, "commands", PLANT, 0).status == 200
    asked = {"to_version": version, "seen_confirmed": True}
    assert send(api, party, "take-backs", asked, 1).status == 200
    refused = send(api, party, "commands", {"type": "reveal"}, 0)
    assert (refused.status, refused.json["code"]) == (422, "take_back_open")
    assert "Seat 1" in refused.json["detail"]
    listed = [[each["type"] for each in party.legal(seat)["commands"]] for seat in (0, 1)]
    assert listed == [["say", "agree_take_back", "decline_take_back"], ["say", "decline_take_back"]]
    assert send(api, party, "commands", {"type": "say", "text": "sorry"}, 1).status == 200
    again = send(api, party, "take-backs", asked, 2)
    assert again.json["code"] == "take_back_open"
    assert send(api, party, "take-backs/agreement", None, 1).json["code"] == "agreed_already"
    declined = send(api, party, "take-backs/refusal", None, 2)
    assert [event["entry"]["type"] for event in declined.json["events"]] == ["take_back_declined"]
    assert send(api, party, "commands", {"type": "reveal"}, 0).status == 200
    assert send(api, party, "take-backs/refusal", None, 2).json["code"] == "no_take_back"


def test_cards_that_were_seen_need_a_confirmation_and_are_dealt_anew(api: InProcess) -> None:
    """The list says how many were seen since, and where; never which."""
    party = api.people()
    version = table_of(api, party)["version"]
    for command in (PLANT, {"type": "reveal"}):
        assert send(api, party, "commands", command, 0).status == 200
    listed = api.call("GET", f"/v1/games/{party.game}/take-backs", token=party.tokens[1]).json
    newest = {each["version"]: each["seen"] for each in listed["versions"]}
    assert {"what": "draw", "seat": None, "cards": 2} in newest[version]
    refused = send(api, party, "take-backs", {"to_version": version}, 1)
    assert (refused.status, refused.json["code"]) == (422, "seen_unconfirmed")
    assert "2 of the draw pile" in refused.json["detail"]
    assert send(api, party, "take-backs", {"to_version": version, "seen_confirmed": True}, 1).status == 200
    assert send(api, party, "take-backs/agreement", None, 0).status == 200
    last = send(api, party, "take-backs/agreement", None, 2).json
    assert [event["entry"]["type"] for event in last["events"]][1:] == [
        "game_rewound",
        "dealer_called",
        "pile_shuffled",
    ]
    assert table_of(api, party)["phase"] == "plant"


@pytest.mark.parametrize("said", ["yes", "true", "on"])
def test_the_confirmation_is_said_with_true(api: InProcess, said: str) -> None:
    """And not with a word that may mean it: cards were seen since."""
    party = api.people()
    asked = {"to_version": table_of(api, party)["version"], "seen_confirmed": said}
    refused = send(api, party, "take-backs", asked, 0)
    assert (refused.status, refused.json["code"]) == (422, "schema_violation")


def test_it_is_sent_like_any_other_command(api: InProcess) -> None:
    """What is listed can be sent where commands are sent: the question, the answers."""
    party = api.people()
    version = table_of(api, party)["version"]
    assert {"type": "ask_take_back", "form": {}} in party.legal(0)["commands"]
    party.send(0, PLANT)
    party.send(1, {"type": "ask_take_back", "to_version": version, "seen_confirmed": True})
    party.send(0, {"type": "agree_take_back"})
    back = party.send(2, {"type": "agree_take_back"})
    assert [event["entry"]["type"] for event in back.json["events"]] == ["take_back_agreed", "game_rewound"]


def test_a_repeated_array_says_again_why_its_question_was_refused(api: InProcess) -> None:
    """Whoever tries again learns the same as the first time: cards were seen since."""
    party = api.people()
    version = table_of(api, party)["version"]
    for command in (PLANT, {"type": "reveal"}):
        assert send(api, party, "commands", command, 0).status == 200
    said = [{"type": "say", "text": "oops"}, {"type": "ask_take_back", "to_version": version}]
    first, again = (send(api, party, "commands", said, 1, Idempotency_Key="oops") for _ in range(2))
    assert (first.status, first.json["applied"]) == (200, 1), first.body
    assert first.json["stopped"]["code"] == "seen_unconfirmed"
    assert again.json["stopped"]["code"] == "seen_unconfirmed"


def test_nothing_is_taken_back_in_a_branch(api: InProcess) -> None:
    """A branch is a tree: who wants to go back plays on from another node."""
    party = api.people()
    version = table_of(api, party)["version"]
    asked = {"seat": 0, "command": {"type": "ask_take_back", "to_version": version}}
    refused = send(api, party, "branches", {"version": version, "play": [asked]}, 0)
    assert (refused.status, refused.json["code"]) == (422, "schema_violation"), refused.body


def test_the_seats_of_bots_agree_at_once(api: InProcess) -> None:
    """Only people are asked."""
    seats = [{"name": "Ada"}, {"name": "Bob"}, {"name": "Rob", "kind": "bot", "bot": "greedy"}]
    made = api.create(seats)
    tokens = [seat["token"] for seat in made["seats"] if "token" in seat]
    party = Party(api, made["game"], tokens, random.Random(7))
    version = table_of(api, party)["version"]
    assert send(api, party, "commands", PLANT, 0).status == 200
    assert send(api, party, "take-backs", {"to_version": version, "seen_confirmed": True}, 0).status == 200
    assert table_of(api, party)["take_back"]["agreed"] == [0, 2]
    answer = send(api, party, "take-backs/agreement", None, 1).json
    assert [event["entry"]["type"] for event in answer["events"]] == ["take_back_agreed", "game_rewound"]


def test_a_version_nobody_could_act_at_is_refused(api: InProcess) -> None:
    """Before the first turn, within a command, and after the present."""
    party = api.people()
    for version in (1, table_of(api, party)["version"] + 1, 10**9):
        refused = send(api, party, "take-backs", {"to_version": version, "seen_confirmed": True}, 0)
        assert (refused.status, refused.json["code"]) == (422, "contradicts_log")
    assert send(api, party, "take-backs", {"to_version": 0}, 0).status == 422
    assert send(api, party, "take-backs", {}, 0).status == 422


def test_a_repeated_question_is_asked_once(api: InProcess) -> None:
    """An Idempotency-Key gets the first answer again."""
    party = api.people()
    version = table_of(api, party)["version"]
    send(api, party, "commands", PLANT, 0)
    body = {"to_version": version, "seen_confirmed": True}
    first = send(api, party, "take-backs", body, 0, Idempotency_Key="once")
    second = send(api, party, "take-backs", body, 0, Idempotency_Key="once")
    assert (first.status, second.status) == (200, 200)
    assert first.json["version"] == second.json["version"] == table_of(api, party)["version"]


def test_the_record_verifies_and_says_what_was_discarded(api: InProcess) -> None:
    """A game that went back is as good as any other."""
    party = api.people()
    version = table_of(api, party)["version"]
    send(api, party, "commands", PLANT, 0)
    send(api, party, "take-backs", {"to_version": version, "seen_confirmed": True}, 0)
    for seat in (1, 2):
        send(api, party, "take-backs/agreement", None, seat)
    lines = api.call("GET", f"/v1/games/{party.game}/record", token=party.tokens[0]).body.splitlines(
        keepends=True
    )
    report = verify_lines(lines)
    assert report.ok, report.findings
    assert report.discarded == ((version + 1, version + 3),)
