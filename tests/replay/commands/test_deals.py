"""`replay deals`: the tables of a duplicate round, compared from their records alone."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import events.game.dealing
from events.commands.dealing import Dealing
from events.game.dealing import shuffled
from events.log.disclosure import ALL, PUBLIC
from replay.command_line import replay
from replay.verification.deals import DealtTable, ReadTable, compare_shuffles, compare_tables
from tests.support.recorded_games import RecordedGame
from tests.support.rounds import closed_table, opened


class Records:
    """A folder of records."""

    def __init__(self, folder: Path) -> None:
        """Write into this folder."""
        self._folder = folder

    def of(self, *games: RecordedGame, viewer: int = PUBLIC) -> list[str]:
        """The files of these games' records, in this scope."""
        files = []
        for number, game in enumerate(games):
            path = self._folder / f"{number}.ndjson"
            path.write_bytes(b"".join(game.record(viewer)))
            files.append(str(path))
        return files


@pytest.fixture
def records(tmp_path: Path) -> Records:
    """Return an empty folder."""
    return Records(tmp_path)


def compared(files: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """The exit status, and the report."""
    result = CliRunner().invoke(replay, ["deals", *files, "--json"])
    return result.exit_code, json.loads(result.output)


@pytest.mark.parametrize("viewer", [PUBLIC, ALL, 2])
def test_tables_of_an_open_round_are_proven_alike(records: Records, viewer: int) -> None:
    """In every scope: even spectators' records hold the first shuffle, and how alike the others were."""
    games = [opened(closed_table(f"table-{number}", number)) for number in (1, 2, 3)]

    status, report = compared(records.of(*games, viewer=viewer))

    assert (status, report["alike"], report["proven"], report["findings"]) == (0, True, True, [])
    assert report["round"]["dealing"] == {"version": 2, "seed": "spring-1"}
    first, second, *_ = report["shuffles"]
    assert first == {"pile": "draw", "number": 1, "tables": 3, "fewest": 104, "most": 104, "common": 104}
    assert (second["number"], second["tables"]) == (2, 3)
    assert 0 < second["common"] <= second["fewest"] <= second["most"] < 104


def test_tables_of_a_closed_round_are_alike_by_what_they_promise(records: Records) -> None:
    """While they are played, and while one of them is late."""
    late, ended = closed_table("table-1", 1, stop_at=80), closed_table("table-2", 2)

    status, report = compared(records.of(late, ended))
    told = CliRunner().invoke(replay, ["deals", *records.of(late, ended)]).output

    assert (status, report["alike"], report["proven"], report["shuffles"]) == (0, True, False, [])
    assert [table["status"] for table in report["tables"]] == ["running", "ended"]
    assert "The secret is not open at every table" in told


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"secret": "ab" * 32}, "another commitment"),
        ({"dealing": Dealing(2, "spring-2")}, "another seed of the round"),
        ({"dealing": None}, "of no duplicate round"),
        ({"players": 5}, "another number of players"),
        ({"options": (("start_seat", 0),)}, "another options"),
        ({"system": "ladybohn"}, "another system"),
    ],
)
def test_tables_that_differ_are_told_apart(records: Records, other: dict[str, Any], reason: str) -> None:
    """Status 1, and what the other one has."""
    games = [closed_table("table-1", 1, stop_at=40), closed_table("table-2", 2, stop_at=40, **other)]

    status, report = compared(records.of(*games))

    assert (status, report["alike"], report["proven"], report["round"]) == (1, False, False, None)
    assert any(reason in finding for finding in report["findings"])


def test_a_table_that_was_shuffled_in_another_way_is_found(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has promised the same, and did not keep it: its record does not verify."""
    with monkeypatch.context() as patched:
        patched.setattr(events.game.dealing, "shuffled_alike", shuffled)
        forged = opened(closed_table.__wrapped__("table-2", 2))

    status, report = compared(records.of(opened(closed_table("table-1", 1)), forged))

    assert (status, report["alike"]) == (1, False)
    assert report["tables"][1]["findings"][0]["check"] == "shuffles"
    assert any("does not verify" in finding for finding in report["findings"])


def test_one_game_is_no_round(records: Records) -> None:
    """Neither named alone, nor twice; what is no record is refused."""
    files = records.of(closed_table("table-1", 1, stop_at=40))

    assert CliRunner().invoke(replay, ["deals", *files]).exit_code == 2
    status, report = compared([*files, *files])
    assert (status, report["findings"]) == (1, ["game table-1 is there 2 times"])
    assert CliRunner().invoke(replay, ["deals", *files, __file__]).exit_code == 2


def test_first_shuffles_are_compared_card_by_card() -> None:
    """Whatever the tables have promised; of later ones it is counted what they have in common."""
    one = ReadTable(
        DealtTable("a", "a", "finished"), None, {("draw", 1): ("x", "y", "z"), ("draw", 2): ("x", "y")}
    )
    other = ReadTable(
        DealtTable("b", "b", "finished"), None, {("draw", 1): ("x", "z", "y"), ("draw", 2): ("y",)}
    )

    report = compare_tables([one, other])

    assert report.findings == ("b has other cards in the first shuffle of the pile draw than a",)
    assert not report.alike
    assert [(each.number, each.fewest, each.most, each.common) for each in report.shuffles] == [
        (1, 3, 3, 3),
        (2, 1, 2, 1),
    ]
    assert compare_shuffles([one.shuffles]) == ()
