"""A game whose log is damaged ends for its tournament with a stated reason; the other tables are played on."""

from pathlib import Path
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.hosted_tournaments import HostedTournament

PEOPLE = ("ada", "bob", "cleo", "dan")
HOUR = 3600


def damage_first(hosted: HostedTournament) -> tuple[str, str]:
    """Damage the game of the first table; return the games of both."""
    damaged, other = hosted.tables()
    hosted.damage(damaged)
    return damaged, other


def outcome(hosted: HostedTournament, game: str) -> Any:
    """Return the outcome of a table; None while it is played."""
    return hosted.tables()[game]["outcome"]


def resign(api: InProcess, hosted: HostedTournament, game: str) -> None:
    """Let the players of a table leave their game."""
    for player in PEOPLE:
        if hosted.seat(player)["game"] == game:
            token = hosted.seat(player)["token"]
            api.call("POST", f"/v1/games/{game}/commands", {"type": "resign"}, token=token)


@pytest.mark.parametrize("format_", ["swiss", "duplicate"])
def test_a_damaged_game_of_a_late_table_is_given_up(api: InProcess, tmp_path: Path, format_: str) -> None:
    """The round is closed, the log names the damage, and an auditor finds nothing wrong."""
    hosted = HostedTournament(api, PEOPLE, late_after=60, format=format_)
    damaged, other = damage_first(hosted)
    hosted.move_on()
    assert outcome(hosted, damaged) is None
    hosted.move_on(after=61)
    given_up = outcome(hosted, damaged)
    assert given_up["kind"] == "given_up"
    assert damaged in given_up["reason"]
    assert outcome(hosted, other)["kind"] == "late"
    assert api.get(f"/v1/tournaments/{hosted.id}")["status"] == "finished"
    assert hosted.audit(tmp_path) == 0


@pytest.mark.parametrize("format_", ["swiss", "duplicate"])
def test_a_damaged_game_without_a_time_limit_can_be_repaired_for_an_hour(
    api: InProcess, tmp_path: Path, format_: str
) -> None:
    """Its table is given up after that; a table behind it ends as if nothing had happened."""
    hosted = HostedTournament(api, PEOPLE, format=format_)
    damaged, other = damage_first(hosted)
    resign(api, hosted, other)
    hosted.move_on()
    hosted.move_on(after=HOUR - 60)
    assert outcome(hosted, damaged) is None
    if format_ == "swiss":
        assert outcome(hosted, other)["kind"] == "played"
    hosted.move_on(after=HOUR + 60)
    assert outcome(hosted, damaged)["kind"] == "given_up"
    assert outcome(hosted, other)["kind"] == "played"
    assert api.get(f"/v1/tournaments/{hosted.id}")["status"] == "finished"
    assert hosted.audit(tmp_path) == 0


def rule(api: InProcess, hosted: HostedTournament, game: str) -> None:
    """Have an arbiter replace the result of a finished game, for good."""
    cases, judge = f"/v1/games/{game}/disputes", api.new_key("arbitrate")
    tokens = [hosted.seat(each)["token"] for each in PEOPLE if hosted.seat(each)["game"] == game]
    opening = {"version": 10, "reason": "mistake", "text": "Look at this."}
    assert api.call("POST", cases, opening, token=tokens[0]).status == 201
    assert api.call("POST", f"{cases}/1/claim", token=judge).status == 200
    ruling = {"kind": "replaced", "scope": "the end", "reason": "Heard.", "winners": [0], "scores": [9, 1]}
    assert api.call("POST", f"{cases}/1/rulings", ruling, token=judge).status == 200
    statuses = [api.call("POST", f"{cases}/1/acceptance", token=each).status for each in tokens]
    assert statuses[0] == 200, statuses


def ruled_tournament(api: InProcess) -> tuple[HostedTournament, str, str]:
    """Return a tournament in its first round, a table that is over and ruled on, and one that is about to be over."""
    hosted = HostedTournament(api, PEOPLE, rounds=2)
    ruled, other = hosted.tables()
    resign(api, hosted, ruled)
    hosted.move_on()
    assert outcome(hosted, ruled)["kind"] == "played"
    rule(api, hosted, ruled)
    resign(api, hosted, other)
    return hosted, ruled, other


@pytest.mark.parametrize("way", ["entry", "answer"])
def test_a_tournament_goes_on_without_a_ruling_whose_case_is_damaged(
    api: InProcess, caplog: pytest.LogCaptureFixture, way: str
) -> None:
    """The operator is told once which game it is, the case is answered as damaged, and the next round is paired."""
    hosted, ruled, _ = ruled_tournament(api)
    hosted.damage_cases(ruled, way)
    caplog.clear()
    for _ in range(2):
        hosted.move_on()
    schedule = api.get(f"/v1/tournaments/{hosted.id}")["schedule"]
    assert [len(each["tables"]) for each in schedule] == [2, 2]
    assert (
        next(each for each in schedule[0]["tables"] if each["game"] == ruled)["outcome"]["kind"] == "played"
    )
    assert [each.getMessage().count(ruled) > 0 for each in caplog.records if each.levelname == "ERROR"] == [
        True
    ]
    answer = InProcess(api.store).call("GET", f"/v1/games/{ruled}/disputes")
    assert (answer.status, answer.json["code"]) == (500, "log_damaged")


def test_a_ruling_counts_by_its_case_where_its_kept_result_is_damaged(api: InProcess) -> None:
    """The log of the cases is the truth: the table has the ruling, and the cases can be read."""
    hosted, ruled, _ = ruled_tournament(api)
    hosted.damage_cases(ruled, "result")
    hosted.move_on()
    tables = api.get(f"/v1/tournaments/{hosted.id}")["schedule"][0]["tables"]
    assert next(each for each in tables if each["game"] == ruled)["outcome"]["kind"] == "replaced"
    assert api.call("GET", f"/v1/games/{ruled}/disputes").status == 200
