"""Several tournaments of one key do not get more games together than the key may have (docs/tournaments.md)."""

import logging

import pytest

from tests.service.in_process import InProcess
from tests.support.hosted_tournaments import TournamentSteps

TABLES = 22
"""Tables of each tournament: more than are set up in one step."""


def announce(api: InProcess, key: str) -> str:
    """Announce a tournament and register its players."""
    wanted = {"name": "Cup", "system": "bean-duel", "rounds": 1, "sizes": [2]}
    tournament = api.call("POST", "/v1/tournaments", wanted, token=key).json["tournament"]
    for number in range(2 * TABLES):
        body = {"player": f"p{number}", "name": f"Player {number}"}
        assert api.call("POST", f"/v1/tournaments/{tournament}/players", body, token=key).status == 201
    return str(tournament)


def start(api: InProcess, key: str, tournament: str) -> tuple[int, str]:
    """Start a tournament, and return the status and the code of a refusal."""
    answer = api.call("POST", f"/v1/tournaments/{tournament}/start", token=key)
    return answer.status, answer.json.get("code", "")


def is_paired(api: InProcess, tournament: str) -> bool:
    """Return whether its first round is paired."""
    return bool(api.get(f"/v1/tournaments/{tournament}")["schedule"])


def steps_with_bound(api: InProcess, bound: int, monkeypatch: pytest.MonkeyPatch) -> TournamentSteps:
    """Return what moves tournaments on where a key may have so many unfinished games."""
    monkeypatch.setenv("FIELDBOOK_UNFINISHED_GAMES", str(bound))
    return TournamentSteps(api)


def start_with_bound(
    api: InProcess, key: str, tournament: str, bound: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """Start a tournament at a service that lets a key have so many unfinished games."""
    monkeypatch.setenv("FIELDBOOK_UNFINISHED_GAMES", str(bound))
    bounded = InProcess(api.store)
    try:
        return start(bounded, key, tournament)
    finally:
        bounded.close()


@pytest.mark.parametrize("restarted", [False, True])
def test_tables_that_are_about_to_be_set_up_count(
    api: InProcess, monkeypatch: pytest.MonkeyPatch, *, restarted: bool
) -> None:
    """A round is not paired while the tables of another one, paired but not set up, need the room."""
    key = api.new_key("create_games")
    first, second = announce(api, key), announce(api, key)
    assert [start(api, key, each)[0] for each in (first, second)] == [200, 200]
    steps = steps_with_bound(api, 2 * TABLES - 1, monkeypatch)
    assert steps.take(first), "a part of its tables is set up"
    if restarted:
        steps = steps_with_bound(api, TABLES, monkeypatch)
    steps.take(second)
    assert (is_paired(api, first), is_paired(api, second)) == (True, False)


def test_a_tournament_is_not_started_into_the_room_of_another(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of a tournament that has just begun count before they are paired, and while they are set up."""
    key = api.new_key("create_games")
    first, second = announce(api, key), announce(api, key)
    assert start_with_bound(api, key, first, 2 * TABLES - 1, monkeypatch)[0] == 200
    assert start_with_bound(api, key, second, 2 * TABLES - 1, monkeypatch) == (409, "too_many_games")
    steps = steps_with_bound(api, 2 * TABLES - 1, monkeypatch)
    assert steps.take(first), "a part of its tables is set up"
    assert start_with_bound(api, key, second, TABLES, monkeypatch) == (409, "too_many_games")
    assert start_with_bound(api, key, second, 2 * TABLES, monkeypatch)[0] == 200


def test_a_round_that_waits_is_logged_once(
    api: InProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning for each round; the looks that follow every few seconds say nothing more."""
    key = api.new_key("create_games")
    first, second = announce(api, key), announce(api, key)
    for each in (first, second):
        start(api, key, each)
    steps = steps_with_bound(api, TABLES, monkeypatch)
    while steps.take(first):
        pass
    with caplog.at_level(logging.WARNING, "fieldbook.tournaments"):
        for _ in range(3):
            assert not steps.take(second)
    assert [second in each.getMessage() for each in caplog.records] == [True]
