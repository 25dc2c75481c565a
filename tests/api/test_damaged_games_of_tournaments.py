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
