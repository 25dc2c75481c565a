"""Scenes and histories: what a page draws of a game, as its caller may see it."""

import json
from typing import Any

import pytest

from events.domain_events import HandSwapped
from events.log.codec import decode_event
from replay.commentary import LANGUAGES
from replay.exports.page.told import LAPSES
from service.http.pages.assets import assets
from tests.replay.exports.pages import Reading, summed
from tests.service.http.resources.test_sending_commands import send
from tests.service.in_process import InProcess
from tests.support.http_play import Party, events_of

SYSTEMS = ("classic", "ladybohn", "ladybohn-expansion")
"""Trading, offers that hide the sex of a card, and hands that were taken up from the open table."""


def scene_at(api: InProcess, game: str, version: int, viewer: str) -> Any:
    """A scene of a game as somebody sees it at a version."""
    return api.get(f"/v1/games/{game}/scene?at={version}&as={viewer}")


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_history_is_the_scenes_of_all_versions(api: InProcess, system: str) -> None:
    """For every viewer, part by part, with the same numbers for the same cards: so they can be drawn together."""
    game = api.stored(most_offers=20, system=system)
    history = api.get(f"/v1/games/{game.id}/history")
    viewers = [each["key"] for each in history["perspectives"]]
    assert viewers == ["all", "public", *(f"seat:{seat}" for seat in range(4))]
    readings = {viewer: Reading(history, viewer) for viewer in viewers}
    compared = 0
    for version in range(1, history["last"] + 1):
        drawn = {viewer: reading.table(version) for viewer, reading in readings.items()}
        if version % 7 == 0 or version == history["last"]:
            for viewer, table in drawn.items():
                scene = scene_at(api, game.id, version, viewer)
                assert scene["scene"] == table, (version, viewer)
                assert (scene["cards"], scene["version"]) == (history["cards"], version)
                compared += 1
    assert compared > 60


def test_a_history_narrows_to_one_perspective(api: InProcess) -> None:
    """It is exactly what that perspective has in the whole one."""
    game = api.stored(most_offers=20)
    whole = api.get(f"/v1/games/{game.id}/history")
    for viewer in ("public", "seat:2"):
        own = api.get(f"/v1/games/{game.id}/history?as={viewer}")
        assert ([each["key"] for each in own["perspectives"]], own["viewer"]) == ([viewer], viewer)
        one, among = Reading(own, viewer), Reading(whole, viewer)
        for version in range(1, whole["last"] + 1):
            assert one.table(version) == among.table(version)
            assert one.sentence(version) == among.sentence(version)


def test_a_running_game_is_told_as_its_caller_sees_it(api: InProcess) -> None:
    """A seat has its own view and the public theirs, up to the version at which the table stands."""
    party = api.people()
    party.play(10)
    for token, viewer in ((party.tokens[1], "seat:1"), (None, "public")):
        history = api.get(f"/v1/games/{party.game}/history?text=it", token)
        scene = api.get(f"/v1/games/{party.game}/scene?text=it", token)
        for answer in (history, scene):
            assert (answer["viewer"], answer["language"], answer["status"]) == (viewer, "it", "running")
            assert answer["game"] == party.game
        assert history["last"] == history["version"] == scene["version"]
        reading = Reading(history, viewer)
        for version in range(1, history["last"]):
            reading.table(version)
        assert reading.table(history["last"]) == scene["scene"]
        assert history["broken"] == ""


def test_a_history_says_of_a_game_that_goes_on_where_something_only_lapsed(api: InProcess) -> None:
    """By the steps between the versions, and by the same events as whoever follows; nobody follows a finished one."""
    party = api.people()
    party.send(0, {"type": "plant", "field": 0})
    party.send(0, {"type": "reveal"})
    for seat in (1, 2):
        party.send(seat, {"type": "offer", "to": 0, "want_revealed": [1]})
    party.send(0, {"type": "accept", "offer": 1, "revealed": [1]})
    entries = [each["entry"] for each in events_of(api, party.game)]
    lapsed = [each["version"] for each in entries if each["type"] == "offer_lapsed"]
    assert len(lapsed) == 1
    assert summed(api.get(f"/v1/games/{party.game}/history")["lapses"]) == lapsed
    live = assets()["game/live.js"][0].read_text("utf-8")
    assert f"LAPSES = {json.dumps(sorted(LAPSES, reverse=True))};" in live
    assert "lapses" not in api.get(f"/v1/games/{api.stored(most_offers=20).id}/history")


def test_a_scene_holds_the_table_that_it_shows(api: InProcess) -> None:
    """Whoever looks needs one request, also at a version that has been."""
    party = api.people()
    party.play(8)
    for token in (None, *party.tokens):
        for query in ("", "?at=14"):
            table = api.get(f"/v1/games/{party.game}{query}", token)
            scene = api.get(f"/v1/games/{party.game}/scene{query}", token)
            assert scene["table"] == table
            assert {name: scene[name] for name in ("version", "hash", "viewer", "system", "phase")} == {
                name: table[name] for name in ("version", "hash", "viewer", "system", "phase")
            }


def test_a_seat_is_told_what_it_may_send(api: InProcess) -> None:
    """The legal commands, each with a text in its language; at the newest version, with its own eyes and token."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    for _ in range(6):
        party.play(2)
        for token in party.tokens:
            scene, legal = api.get(f"{path}/scene?text=fr", token), api.get(f"{path}/commands", token)
            assert [each["command"] for each in scene["commands"]] == legal["commands"]
            assert all(each["text"] for each in scene["commands"])
    version = api.get(path)["version"]
    for looking, query in [
        (None, ""),
        (api.key, "?as=seat:0"),
        (party.tokens[0], "?as=public"),
        (party.tokens[0], f"?at={version}"),
    ]:
        assert "commands" not in api.get(f"{path}/scene{query}", looking)


def test_a_command_of_a_scene_can_be_sent_as_it_is(api: InProcess) -> None:
    """Its text says what happens then."""
    party = api.people()
    scene = api.get(f"/v1/games/{party.game}/scene", party.tokens[0])
    first = scene["commands"][0]
    front = scene["cards"][scene["scene"]["0.hand"][0][1]][0]
    assert first["text"] == f"Plant a {front} on field 0"
    assert send(api, party, first["command"]).status == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_in_the_language_and_numbers_in_none(api: InProcess, language: str) -> None:
    """A card has its number in every language; its key is the catalogue's, in whose order they stand."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    scene, english = (api.get(f"{path}/scene?text={each}", party.tokens[0]) for each in (language, "en"))
    catalogue = api.get(f"{path}/catalogue")
    beans = [bean["card"] for bean in catalogue["catalogue"]["beans"]]
    assert scene["card_keys"] == english["card_keys"] == ["?", *beans]
    names = [name for name, _, _ in scene["cards"]]
    assert names[1:] == [catalogue["names"][card][language] for card in beans]
    assert scene["scene"]["0.hand"] == english["scene"]["0.hand"]


def test_an_offer_is_shown_with_what_it_is_made_of(api: InProcess) -> None:
    """Whose it is, to whom, and the cards: which ones of a hand they are, only their owner is told."""
    party = offering(api)
    mine = api.get(f"/v1/games/{party.game}/scene", party.tokens[0])
    card = dict(mine["scene"]["0.hand"])[3]
    wanted = mine["card_keys"].index("blue")
    ((number, seat, text, made),) = mine["scene"]["offers"]
    assert (number, seat, made) == (1, 0, {"to": 1, "cards": [[1, card]], "hand": [3], "want": [[2, wanted]]})
    assert mine["cards"][card][0] in text
    for token in (None, *party.tokens[1:]):
        scene = api.get(f"/v1/games/{party.game}/scene", token)["scene"]
        ((*_, told),) = scene["offers"]
        assert told == {"to": 1, "cards": [[1, card]], "want": [[2, wanted]]}


def offering(api: InProcess) -> Party:
    """Seat 0 offers seat 1 its third card for two blue beans."""
    party = api.people()
    for command in (
        {"type": "plant", "field": 0},
        {"type": "reveal"},
        {"type": "offer", "to": 1, "hand": [3], "want": {"blue": 2}},
    ):
        assert send(api, party, command).status == 200
    return party


def test_the_fan_that_was_taken_up_is_known_to_all(api: InProcess) -> None:
    """In `ladybohn-expansion` a hand that lay open stays known, as in a record: not one card more."""
    game = api.stored(most_offers=20, system="ladybohn-expansion")
    swaps = [(each.version, decode_event(each)) for each in game.recorded.log if each.type == "hand_swapped"]
    assert swaps
    for version, swap in swaps[:4]:
        assert isinstance(swap, HandSwapped)
        scene, whole = (scene_at(api, game.id, version, viewer) for viewer in ("public", "all"))
        hands = [(scene["scene"][f"{seat}.hand"], whole["scene"][f"{seat}.hand"]) for seat in range(4)]
        shown, held = hands[swap.seat]
        assert shown == held
        assert [scene["card_keys"][card] for _, card in shown] == [*swap.cards]
        for seen, own in hands:
            known = [each for each in seen if each[1]] if isinstance(seen, list) else []
            assert all(each in own for each in known)


def test_what_a_caller_has_is_not_made_again(api: InProcess) -> None:
    """304 for the same version, viewer and language, and for nothing else."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    for place in ("/scene", "/history"):
        tag = api.call("GET", f"{path}{place}", token=party.tokens[0]).headers["etag"]

        def ask(
            query: str = "", token: str | None = party.tokens[0], place: str = place, tag: str = tag
        ) -> int:
            return api.call(
                "GET", f"{path}{place}{query}", token=token, headers={"If-None-Match": tag}
            ).status

        assert [ask(), ask("?text=en"), ask("?as=seat:0")] == [304, 304, 304]
        assert [ask("?text=de"), ask("?as=public"), ask(token=None), ask(token=party.tokens[1])] == [200] * 4
    tag = api.call("GET", f"{path}/scene", token=party.tokens[0]).headers["etag"]
    assert (
        api.call("GET", f"{path}/scene?as=seat:0", token=api.key, headers={"If-None-Match": tag}).status
        == 200
    )
    party.play(1)
    assert (
        api.call("GET", f"{path}/scene", token=party.tokens[0], headers={"If-None-Match": tag}).status == 200
    )


def test_a_version_that_is_yet_to_come_and_an_unknown_language_are_refused(api: InProcess) -> None:
    """As everywhere."""
    party = api.people()
    late = api.call("GET", f"/v1/games/{party.game}/scene?at=1000")
    assert (late.status, late.json["code"]) == (404, "no_such_version")
    for place in ("scene", "history"):
        refused = api.call("GET", f"/v1/games/{party.game}/{place}?text=eo")
        assert (refused.status, refused.json["code"]) == (422, "schema_violation")
        assert "text" in json.dumps(refused.json)
