"""Players cannot bend a game against bots, nor the deal of a duplicate round (issue 43, item 10)."""

import random
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.hosted_tournaments import HostedTournament
from tests.support.http_play import Answer, Party


def send(party: Party, seat: int, command: dict[str, Any]) -> Answer:
    """Send a command as a seat."""
    path = f"/v1/games/{party.game}/commands"
    return party.api.call("POST", path, command, token=party.tokens[seat])


def with_a_bot(api: InProcess) -> Party:
    """Return a game of two people and a bot that has not played yet."""
    made = api.create([{"name": "Ada"}, {"name": "Bob"}, {"name": "Rob", "kind": "bot", "bot": "greedy"}])
    tokens = [seat["token"] for seat in made["seats"] if "token" in seat]
    return Party(api, made["game"], tokens, random.Random(7))


def draw_cards(party: Party) -> int:
    """Play until cards were turned up after a version; return that version, to which the game could go back."""
    version = party.api.call("GET", f"/v1/games/{party.game}", token=party.tokens[0]).json["version"]
    for _ in range(40):
        looked = party.legal(0)
        (seat, *_rest) = looked["waiting_for"]
        listed = party.legal(seat)["commands"]
        ready = [each for each in listed if "form" not in each]
        kinds = ("reveal", "plant", "draw")
        command = next(each for kind in kinds for each in ready if each["type"] == kind)
        answer = send(party, seat, command)
        assert answer.status == 200, answer.body
        if {"cards_revealed", "cards_drawn"} & {each["entry"]["type"] for each in answer.json["events"]}:
            return int(version)
    raise AssertionError("no card was turned up")


def stops(party: Party, seat: int = 0) -> list[int]:
    """Return the versions to which the game is said to be able to go back."""
    answer = party.api.call("GET", f"/v1/games/{party.game}/take-backs", token=party.tokens[seat])
    return [each["version"] for each in answer.json["versions"]]


@pytest.mark.parametrize("kind", ["drawn", "called_off"])
def test_no_bot_agrees_to_an_end(api: InProcess, kind: str) -> None:
    """The offer is refused at any score, and legal commands do not list it."""
    party = with_a_bot(api)
    assert "offer_end" not in {each["type"] for each in party.legal(0)["commands"]}
    answer = send(party, 0, {"type": "offer_end", "kind": kind})
    assert (answer.status, answer.json["code"]) == (422, "people_only")
    assert api.get(f"/v1/games/{party.game}")["status"] == "running"


def test_a_person_in_a_tournament_ends_no_game_with_a_bot(api: InProcess) -> None:
    """Neither a draw nor a call-off brings a shared result; the game goes on, and the tournament with it."""
    hosted = HostedTournament(api, ["ada"], ["greedy"])
    party = hosted.table_of("ada")
    seat = hosted.seat("ada")
    for kind in ("drawn", "called_off"):
        path = f"/v1/games/{party.game}/commands"
        answer = api.call("POST", path, {"type": "offer_end", "kind": kind}, token=seat["token"])
        assert (answer.status, answer.json["code"]) == (422, "people_only")
    hosted.move_on()
    assert api.get(f"/v1/tournaments/{hosted.id}")["status"] == "running"


def test_people_still_end_a_game_among_themselves(api: InProcess) -> None:
    """A bot that plays on for somebody who left does not stand in the way."""
    party = api.people()
    assert send(party, 2, {"type": "resign"}).status == 200
    assert send(party, 0, {"type": "offer_end", "kind": "called_off"}).status == 200
    assert send(party, 1, {"type": "accept_end"}).status == 200
    assert api.get(f"/v1/games/{party.game}")["status"] == "finished"


def test_a_bot_does_not_go_back_over_cards_that_were_turned_up(api: InProcess) -> None:
    """A person who has seen the next cards keeps the move; the version is not listed, and the question is refused."""
    party = with_a_bot(api)
    version = draw_cards(party)
    assert version not in stops(party)
    form = next((each for each in party.legal(0)["commands"] if each["type"] == "ask_take_back"), None)
    assert form is None or version not in form["form"].get("to_version", [])
    for confirmed in (False, True):
        asking = {"to_version": version, "seen_confirmed": confirmed}
        path = f"/v1/games/{party.game}/take-backs"
        answer = api.call("POST", path, asking, token=party.tokens[0])
        assert (answer.status, answer.json["code"]) == (422, "bots_decline")


def test_a_bot_goes_back_over_a_card_of_the_hand_of_the_asking_seat(api: InProcess) -> None:
    """A slip of one's own shows nothing that the seat did not know."""
    party = with_a_bot(api)
    version = api.get(f"/v1/games/{party.game}", party.tokens[0])["version"]
    assert send(party, 0, {"type": "plant", "field": 0}).status == 200
    assert (version in stops(party, 0), version in stops(party, 1)) == (True, False)
    asking = {"type": "ask_take_back", "to_version": version, "seen_confirmed": True}
    assert send(party, 1, asking).json["code"] == "bots_decline"
    assert send(party, 0, asking).status == 200
    answer = send(party, 1, {"type": "agree_take_back"})
    assert [each["entry"]["type"] for each in answer.json["events"]] == ["take_back_agreed", "game_rewound"]


def test_a_bot_that_plays_for_a_player_who_left_goes_back_as_the_others_agree(api: InProcess) -> None:
    """It has no stake of its own in the cards."""
    party = api.people()
    assert send(party, 2, {"type": "resign"}).status == 200
    version = draw_cards(party)
    asking = {"type": "ask_take_back", "to_version": version, "seen_confirmed": True}
    assert send(party, 0, asking).status == 200
    types = [each["entry"]["type"] for each in send(party, 1, {"type": "agree_take_back"}).json["events"]]
    assert types[:2] == ["take_back_agreed", "game_rewound"]


def test_the_deal_of_a_duplicate_round_stays(api: InProcess) -> None:
    """Two people who agree to everything cannot turn up other cards than the other tables have."""
    people = ["ada", "bob", "cleo", "dan"]
    hosted = HostedTournament(api, people, format="duplicate")
    party = table_with(hosted, "ada", people)
    version = draw_cards(party)
    path = f"/v1/games/{party.game}"
    for confirmed in (False, True):
        asking = {"to_version": version, "seen_confirmed": confirmed}
        answer = api.call("POST", f"{path}/take-backs", asking, token=party.tokens[0])
        assert (answer.status, answer.json["code"]) == (422, "deal_must_stay")
    assert version not in stops(party)


def ask_to_rule(party: Party, judge: str, version: int) -> dict[str, Answer]:
    """Open a case and have it ruled that the game goes back to a version; return the preview and the ruling."""
    cases = f"/v1/games/{party.game}/disputes"
    opening = {"version": version, "reason": "mistake", "text": "Look at this."}
    assert party.api.call("POST", cases, opening, token=party.tokens[0]).status == 201
    assert party.api.call("POST", f"{cases}/1/claim", token=judge).status == 200
    ruling = {"kind": "rewound", "scope": "a slip", "reason": "Heard.", "to_version": version}
    paths = ("previews", "rulings")
    body = ruling | {"seen_confirmed": True}
    return {each: party.api.call("POST", f"{cases}/1/{each}", body, token=judge) for each in paths}


def test_no_ruling_deals_other_cards_in_a_duplicate_round(api: InProcess) -> None:
    """An arbiter cannot give one table other cards than the other tables have."""
    people = ["ada", "bob", "cleo", "dan"]
    party = table_with(HostedTournament(api, people, format="duplicate"), "ada", people)
    for answer in ask_to_rule(party, api.new_key("arbitrate"), draw_cards(party)).values():
        assert (answer.status, answer.json["code"]) == (422, "deal_must_stay")


def test_a_ruling_goes_back_in_a_duplicate_round_where_no_card_was_drawn(api: InProcess) -> None:
    """It is previewed and given as anywhere."""
    people = ["ada", "bob", "cleo", "dan"]
    party = table_with(HostedTournament(api, people, format="duplicate"), "ada", people)
    (seat,) = party.legal(0)["waiting_for"]
    version = api.get(f"/v1/games/{party.game}", party.tokens[0])["version"]
    assert send(party, seat, {"type": "plant", "field": 0}).status == 200
    answers = ask_to_rule(party, api.new_key("arbitrate"), version)
    assert [each.status for each in answers.values()] == [200, 200]


def test_in_a_duplicate_round_a_slip_is_taken_back_before_the_next_card(api: InProcess) -> None:
    """Going back to where no card was drawn since is asked and agreed to as anywhere."""
    people = ["ada", "bob", "cleo", "dan"]
    hosted = HostedTournament(api, people, format="duplicate")
    party = table_with(hosted, "ada", people)
    (seat,) = party.legal(0)["waiting_for"]
    version = api.get(f"/v1/games/{party.game}", party.tokens[0])["version"]
    assert send(party, seat, {"type": "plant", "field": 0}).status == 200
    assert version in stops(party, seat)
    asking = {"type": "ask_take_back", "to_version": version, "seen_confirmed": True}
    assert send(party, seat, asking).status == 200
    answer = send(party, 1 - seat, {"type": "agree_take_back"})
    assert [each["entry"]["type"] for each in answer.json["events"]] == ["take_back_agreed", "game_rewound"]


def table_with(hosted: HostedTournament, player: str, people: list[str]) -> Party:
    """Return the table at which a player sits with another one of these people."""
    game = hosted.seat(player)["game"]
    return hosted.table_of(*(each for each in people if hosted.seat(each)["game"] == game))
