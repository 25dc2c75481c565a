"""Rematches: the same people at a table again, seats moved on by one, each with a token of their own."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from service.access.game_access import UNLISTED_GAME, UNTIL_THE_END, GameAccess, GamePolicy
from service.access.store import Keys, PrivateFields
from tests.service.in_process import InProcess
from tests.service.projections.test_projector import projected
from tests.support.http_play import Answer, Party

PEOPLE = [{"name": "Ada"}, {"name": "Bob"}, {"player": "cleo"}]
WITH_A_BOT = [{"name": "Ada"}, {"name": "Bob"}, {"name": "Rob", "kind": "bot", "bot": "greedy"}]


def finished(api: InProcess, seats: list[Any], **more: Any) -> Party:
    """A game that its people have ended: as a draw, or by leaving the bots at the table."""
    made = api.create(seats, **more)
    tokens = [seat["token"] for seat in made["seats"] if "token" in seat]
    party = Party(api, made["game"], tokens, random.Random(1))
    commands: list[Any] = [{"type": "resign"}] * len(tokens)
    if len(tokens) == len(seats):
        commands = [{"type": "offer_end", "kind": "drawn"}, *[{"type": "accept_end"}] * (len(tokens) - 1)]
    for token, command in zip(tokens, commands, strict=True):
        sent = api.call("POST", f"/v1/games/{party.game}/commands", command, token=token)
        assert sent.status == 200, sent.body
    return party


def ask(api: InProcess, game: str, token: str | None) -> Answer:
    """Want to play a game again."""
    return api.call("POST", f"/v1/games/{game}/rematch", token=token)


def test_all_sit_down_again_one_seat_further_and_it_begins(api: InProcess) -> None:
    """By name or by player; the two games name each other, and who asks twice has the same token."""
    party = finished(api, PEOPLE, options={"start_seat": 1}, clock="live", close_after=3600)
    assert "next" not in api.get(f"/v1/games/{party.game}")
    answers = [ask(api, party.game, token).json for token in party.tokens]
    new = answers[0]["game"]
    assert [(each["game"], each["seat"], each["previous"]) for each in answers] == [
        (new, 2, party.game),
        (new, 0, party.game),
        (new, 1, party.game),
    ]
    assert [each["waiting_for"] for each in answers] == [[0, 1], [1], []]
    assert answers[2]["status"] == "running"
    before, table = api.get(f"/v1/games/{party.game}"), api.get(f"/v1/games/{new}")
    assert (before["next"], table["previous"]) == (new, party.game)
    assert api.get(f"/v1/games/{party.game}/scene")["table"]["next"] == new
    assert [seat["name"] for seat in table["seats"]] == ["Bob", "Player 2", "Ada"]
    assert table["seats"][1]["player"] == before["seats"][2]["player"]
    assert table["options"] == before["options"]
    assert table["clock"]["settings"] == before["clock"]["settings"]
    for each in answers:
        assert api.get(f"/v1/games/{new}/commands", each["token"])["seat"] == each["seat"]
    assert ask(api, party.game, party.tokens[0]).json["token"] == answers[0]["token"]


def test_a_table_of_a_duplicate_round_is_played_again_by_ordinary_rules(api: InProcess) -> None:
    """Nobody else plays the new cards: whoever may watch sees the table as it stands, as at other unlisted games."""
    party = finished(api, PEOPLE)
    house = GamePolicy(UNLISTED_GAME, UNTIL_THE_END, "club")
    for name, value in house.private_fields().items():
        PrivateFields(api.store).replace(party.game, name, value.encode())
    new = ask(api, party.game, party.tokens[0]).json["game"]
    assert GameAccess(api.store).policy(new) == GamePolicy(UNLISTED_GAME, 0, "club", previous=party.game)


def test_two_who_ask_at_once_get_the_same_game(api: InProcess) -> None:
    """Both at another process; bots sit there already, so with the second it begins."""
    party, other = finished(api, WITH_A_BOT), InProcess(api.store)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(ask, (api, other), [party.game] * 2, party.tokens))
    other.close()
    assert [each.status for each in answers] == [201, 201]
    assert answers[0].json["game"] == answers[1].json["game"]
    assert api.get(f"/v1/games/{answers[0].json['game']}")["status"] == "running"


def test_seats_are_kept_for_who_sat_there(api: InProcess) -> None:
    """Nobody else takes one, with a key neither; the list of what can be joined does not have the game."""
    party = finished(api, WITH_A_BOT)
    new = ask(api, party.game, party.tokens[0]).json["game"]
    for token in (None, api.key):
        taken = api.call("POST", f"/v1/games/{new}/seats", {"name": "Eve"}, token=token)
        assert (taken.status, taken.json["code"]) == (403, "seats_kept")
    open_one = api.create([{"name": "Zoe"}, None, None])["game"]
    projected(api)
    assert [each["game"] for each in api.get("/v1/games?free=1")["games"]] == [open_one]


def test_the_creator_sets_the_table_up_and_others_do_not(api: InProcess) -> None:
    """With a table of bots it begins at once. Spectators, strangers and other keys are refused."""
    party = finished(api, WITH_A_BOT)
    set_up = ask(api, party.game, api.key).json
    assert (set_up["seat"], set_up["token"], set_up["waiting_for"]) == (None, None, [0, 2])
    assert ask(api, party.game, party.tokens[1]).json["game"] == set_up["game"]
    assert [
        ask(api, party.game, token).status
        for token in (None, Keys(api.store).create("x", ("create_games",), 1))
    ] == [401, 403]


def test_a_game_is_played_again_when_it_has_finished(api: InProcess) -> None:
    """Not sooner; and the next game can be played again too."""
    running = api.people()
    early = ask(api, running.game, running.tokens[0])
    assert (early.status, early.json["code"]) == (403, "game_not_finished")
    party = finished(api, PEOPLE)
    tokens = [ask(api, party.game, token).json["token"] for token in party.tokens]
    second = api.get(f"/v1/games/{party.game}")["next"]
    assert ask(api, second, tokens[0]).json["code"] == "game_not_finished"


JOINED = {
    "free=1": {"one", "two"},
    "free=2": {"two"},
    "free=1&clock=true": {"one"},
    "seats=4": {"two"},
    "seats=3&clock=false": {"full"},
    "visibility=public&status=open": {"one", "two"},
}


def test_what_can_be_joined_is_found(api: InProcess) -> None:
    """By free seats, by how many play, with a clock or without, by who may watch."""
    games = {
        "one": api.create([{"name": "Ada"}, {"name": "Bob"}, None], clock="live")["game"],
        "two": api.create([{"name": "Ada"}, None, None, None])["game"],
        "full": api.create([{"name": "Ada"}, {"name": "Bob"}, {"name": "Cleo"}])["game"],
    }
    projected(api)
    for query, wanted in JOINED.items():
        listed = {each["game"] for each in api.get(f"/v1/games?{query}")["games"]}
        assert listed == {games[name] for name in wanted}, query
