"""Registration takes exactly the players that a table takes: so every game of a tournament can be set up."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer


def announced(api: InProcess) -> str:
    """Announce a tournament and return its path."""
    body = {"name": "Autumn", "system": "bean-duel", "rounds": 2, "sizes": [2]}
    made = api.call("POST", "/v1/tournaments", body, token=api.key).json
    return f"/v1/tournaments/{made['tournament']}"


def register(api: InProcess, path: str, player: str, name: str | None) -> Answer:
    """Register a player."""
    body = {"player": player, **({} if name is None else {"name": name})}
    return api.call("POST", f"{path}/players", body, token=api.key)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", "Anna"),
        ("Anna", "ANNA"),
        ("Anna", "Ann\u0430"),
        ("Anna", " \uff21nna"),
        ("An na", "An\u3000na"),
    ],
)
def test_of_two_players_with_names_that_look_alike_one_is_registered(
    api: InProcess, one: str, other: str
) -> None:
    """The log decides, so two requests at the same moment do not both pass."""
    for _ in range(8):
        path = announced(api)
        with ThreadPoolExecutor(2) as threads:
            sent = [threads.submit(register, api, path, *each) for each in (("p1", one), ("p2", other))]
        answers = [each.result() for each in sent]
        assert sorted(each.status for each in answers) == [201, 422]
        (refused,) = (each.json for each in answers if each.status == 422)
        assert (refused["code"], refused["reason"]) == ("tournament_refused", "bad_name")
        assert len(api.get(path)["field"]) == 1


def test_a_name_is_free_again_for_nobody_but_its_player(api: InProcess) -> None:
    """A player who has withdrawn keeps the name: what was played under it is theirs."""
    path = announced(api)
    assert register(api, path, "p1", "Anna").status == 201
    assert api.call("DELETE", f"{path}/players/p1", token=api.key).status == 200
    assert register(api, path, "p2", "anna").json["reason"] == "bad_name"


def test_players_known_by_ids_and_players_with_names_take_part_together(api: InProcess) -> None:
    """A placeholder's name is no reason to refuse a player."""
    path = announced(api)
    for player, name in (("x", None), ("p1", "Player 1"), ("y", None), ("p2", "Player 2")):
        assert register(api, path, player, name).status == 201
