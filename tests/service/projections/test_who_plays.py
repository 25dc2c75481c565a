"""The list says who plays each seat now, and who has left it; those who are behind are not told."""

import random
from typing import Any

from tests.service.in_process import NAMES, InProcess
from tests.service.projections.listing import differences, project
from tests.support.http_play import Party

PEOPLE = ["human", "human", "human"]
RESIGN, COME_BACK = {"type": "resign"}, {"type": "come_back"}


def begin(api: InProcess, **house_rules: Any) -> Party:
    """A game of three people."""
    made = api.create([{"name": name} for name in NAMES[:3]], **house_rules)
    return Party(api, made["game"], [each["token"] for each in made["seats"]], random.Random(1))


def listed(api: InProcess, token: str | None = None) -> tuple[Any, Any]:
    """Who plays the seats of the only game, and who has left them, by the list as it is projected now."""
    project(api.store)
    (game,) = api.call("GET", "/v1/games", token=token).json["games"]
    return game["kinds"], game["away"]


def test_a_bot_that_has_taken_a_seat_over_plays_it_until_somebody_comes_back(api: InProcess) -> None:
    """As the table has it: by seat, and nothing where nobody has left."""
    party = begin(api)
    assert listed(api) == (PEOPLE, [])
    party.send(1, RESIGN)
    assert listed(api) == (["human", "bot", "human"], [None, "human", None])
    party.send(0, RESIGN)
    assert listed(api) == (["bot", "bot", "human"], ["human", "human", None])
    party.send(1, COME_BACK)
    assert listed(api) == (["bot", "human", "human"], ["human", None, None])
    table = api.get(f"/v1/games/{party.game}")["seats"]
    assert ([each["kind"] for each in table], [each["away"] for each in table]) == listed(api)
    assert differences(api.store) == []


def test_going_back_brings_nobody_back(api: InProcess) -> None:
    """Who has left stays away, and who has come back is there."""
    party = begin(api)
    before = api.get(f"/v1/games/{party.game}")["version"]
    party.play(1)
    party.send(1, RESIGN)
    body = {"to_version": before, "seen_confirmed": True}
    path = f"/v1/games/{party.game}/take-backs"
    assert api.call("POST", path, body, token=party.tokens[0]).status in {200, 201}
    assert api.call("POST", f"{path}/agreement", {}, token=party.tokens[2]).status == 200
    assert api.get(f"/v1/games/{party.game}")["take_backs"] == 1
    assert listed(api) == (["human", "bot", "human"], [None, "human", None])
    party.send(1, COME_BACK)
    assert listed(api) == (PEOPLE, [])


def test_who_sees_a_game_late_is_not_told_who_has_left_it(api: InProcess) -> None:
    """They would know it before they see it; the key that set the game up sees it as it stands."""
    party = begin(api, spectator_delay=100)
    party.send(1, RESIGN)
    assert listed(api) == (PEOPLE, None)
    assert listed(api, api.key) == (["human", "bot", "human"], [None, "human", None])
