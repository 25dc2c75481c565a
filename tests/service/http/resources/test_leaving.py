"""Leaving over HTTP: a bot plays on, who left can only come back, and a game is ended together."""

from typing import Any

import pytest

from events.rules.interventions.leaving import MOST_RETURNS
from replay.verification.verify import verify_lines
from service.bot_seats.bot_players import BotPlayers
from service.play import budgets
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party

BOTH_WAYS = True
RESIGN, COME_BACK = {"type": "resign"}, {"type": "come_back"}
DRAWN = {"type": "offer_end", "kind": "drawn"}
ACCEPT, DECLINE = {"type": "accept_end"}, {"type": "decline_end"}
PLANT = {"type": "plant", "field": 0}


def send(party: Party, command: Any, seat: int = 0, query: str = "") -> Answer:
    """Send a command as a seat, and look at what became of it."""
    path = f"/v1/games/{party.game}/commands{query}"
    return party.api.call("POST", path, command, token=party.tokens[seat])


def types_in(answer: Answer) -> list[str]:
    """The types of the events that a command has brought about."""
    assert answer.status == 200, answer.body
    return [each["entry"]["type"] for each in answer.json["events"]]


def listed(party: Party, seat: int = 0) -> list[str]:
    """The types of what a seat may send."""
    return [each["type"] for each in party.legal(seat)["commands"]]


def table_of(api: InProcess, party: Party) -> Any:
    """The table as spectators see it."""
    return api.get(f"/v1/games/{party.game}")


def bots_have_played(api: InProcess, players: BotPlayers, party: Party) -> None:
    """The bots have looked at the game, and done what there was to do."""
    partition = api.store.partition_of(party.game)
    if entries := api.store.read_feed(partition, players.position(partition)):
        players.process_batch(partition, 0, entries)
    players.play()


def test_everybody_sees_that_a_seat_was_left(api: InProcess) -> None:
    """Its kind is a bot's, and who has left it stands beside."""
    party = api.people()
    assert types_in(send(party, RESIGN)) == ["seat_resigned", "seat_taken_over"]
    seat = table_of(api, party)["seats"][0]
    assert (seat["name"], seat["kind"], seat["bot"], seat["away"]) == ("Ada", "bot", "greedy", "human")
    assert table_of(api, party)["seats"][1]["away"] is None


def test_who_has_left_can_come_back_and_talk_and_nothing_else(api: InProcess) -> None:
    """The refusal says what to do, and what is legal says the same, though the bot could plant."""
    party = api.people()
    send(party, RESIGN)
    for command in (PLANT, RESIGN, DRAWN, [PLANT, PLANT]):
        refused = send(party, command)
        assert (refused.status, refused.json["code"]) == (422, "seat_taken_over")
        assert "come_back" in refused.json["detail"]
        assert {each["type"] for each in refused.json["legal_commands"]} == {"say", "come_back"}
    assert sorted(listed(party)) == ["come_back", "say"]
    assert types_in(send(party, {"type": "say", "text": "I will be back"})) == ["talked"]
    asked = party.api.call(
        "POST", f"/v1/games/{party.game}/take-backs", {"to_version": 9}, token=party.tokens[0]
    )
    assert (asked.status, asked.json["code"]) == (422, "seat_taken_over")


def test_who_comes_back_plays_again(api: InProcess) -> None:
    """From what the bot has made of it."""
    party = api.people()
    send(party, RESIGN)
    assert types_in(send(party, COME_BACK)) == ["seat_returned"]
    assert table_of(api, party)["seats"][0]["away"] is None
    assert types_in(send(party, PLANT))[0] == "bean_planted"
    assert send(party, COME_BACK).json["code"] == "not_away"


def test_nobody_comes_back_for_ever(api: InProcess) -> None:
    """After so many times the bot plays to the end, and coming back is not listed any more."""
    party = api.people()
    for _ in range(MOST_RETURNS):
        send(party, RESIGN)
        send(party, COME_BACK)
    send(party, RESIGN)
    assert listed(party) == ["say"]
    assert send(party, COME_BACK).json["code"] == "too_many_returns"


def test_several_commands_end_where_the_seat_is_left(api: InProcess) -> None:
    """What is sent after it in one request is refused as if it came later."""
    party = api.people()
    answer = send(party, [RESIGN, PLANT])
    assert (answer.status, answer.json["applied"]) == (200, 1)
    assert answer.json["stopped"]["code"] == "seat_taken_over"


def test_leaving_can_be_tried(api: InProcess) -> None:
    """A dry run says what would happen, and nobody has left."""
    party = api.people()
    assert types_in(send(party, RESIGN, query="?dry_run=true")) == ["seat_resigned", "seat_taken_over"]
    assert table_of(api, party)["seats"][0]["away"] is None


def test_the_bots_play_a_seat_that_was_left_and_stop_when_it_is_played_again(api: InProcess) -> None:
    """Also in a game that they had left to its people; the log shows whose commands they are."""
    party, players = api.people(), BotPlayers(api.store)
    players.begin(range(api.store.partitions))
    bots_have_played(api, players, party)
    before = table_of(api, party)["version"]
    send(party, {"type": "say", "text": "one moment"}, 1)
    bots_have_played(api, players, party)
    assert table_of(api, party)["version"] == before + 1
    send(party, RESIGN)
    bots_have_played(api, players, party)
    table = table_of(api, party)
    assert table["active"] == 1
    assert table["version"] > before + 3
    send(party, RESIGN, 1)
    send(party, COME_BACK, 1)
    stopped = table_of(api, party)["version"]
    bots_have_played(api, players, party)
    assert table_of(api, party)["version"] == stopped


def test_the_token_of_a_seat_that_was_left_can_be_replaced(api: InProcess) -> None:
    """Whoever has lost it may still want to come back."""
    party = api.people()
    send(party, RESIGN)
    made = api.call("POST", f"/v1/games/{party.game}/seats/0/token", token=api.key)
    assert made.status in {200, 201}, made.body


def test_when_all_have_left_the_game_is_over_and_its_record_verifies(api: InProcess) -> None:
    """The secret is opened at once, and nobody has won."""
    party = api.people()
    *_, last = [send(party, RESIGN, seat) for seat in range(3)]
    assert types_in(last)[2:] == ["game_ended", "dealer_called", "secret_revealed"]
    result = table_of(api, party)["result"]
    assert (result["reason"], result["winners"]) == ("abandoned", [])
    record = api.call("GET", f"/v1/games/{party.game}/record")
    assert verify_lines(record.body.splitlines(keepends=True)).ok


def test_a_game_is_ended_together(api: InProcess) -> None:
    """The offer is on the table, the game goes on meanwhile, and with the last agreement it is over."""
    party = api.people()
    assert types_in(send(party, DRAWN)) == ["end_offered"]
    assert table_of(api, party)["end_offer"] == {"seat": 0, "kind": "drawn", "agreed": [0]}
    assert types_in(send(party, PLANT))[0] == "bean_planted"
    assert {"accept_end", "decline_end"} <= {*listed(party, 1)}
    assert send(party, DRAWN, 1).json["code"] == "end_offer_open"
    assert send(party, ACCEPT).json["code"] == "agreed_already"
    send(party, ACCEPT, 1)
    assert "game_ended" in types_in(send(party, ACCEPT, 2))
    assert table_of(api, party)["result"]["winners"] == [0, 1, 2]


def test_an_end_is_declined(api: InProcess) -> None:
    """Then it is not on offer any more."""
    party = api.people()
    send(party, DRAWN)
    assert types_in(send(party, DECLINE, 2)) == ["end_declined"]
    assert table_of(api, party)["end_offer"] is None
    assert send(party, ACCEPT, 1).json["code"] == "no_end_offer"
    assert send(party, {"type": "offer_end", "kind": "won"}).json["code"] == "bad_end_offer"


def test_nobody_offers_an_end_for_ever(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts among the questions of a seat; what is legal says the same."""
    monkeypatch.setattr(budgets, "MOST_QUESTIONS", 2)
    party = api.people()
    for _ in range(2):
        send(party, DRAWN)
        send(party, DECLINE, 1)
    refused = send(party, DRAWN)
    assert (refused.status, refused.json["code"]) == (422, "question_budget_spent")
    assert "offer_end" not in listed(party)
    assert types_in(send(party, DRAWN, 1)) == ["end_offered"]
