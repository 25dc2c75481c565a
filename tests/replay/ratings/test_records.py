"""Ratings rebuilt from a folder of records by the command: verified games alone, and the same bytes each time."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events import commands as c
from events.game.record import header_for, write_record
from events.log.disclosure import ALL, form_for
from events.rules.move import ARBITER
from events.rules.systems.registry import BY_KEY
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.source import RecordFolder
from replay.commands.ratings import ratings
from replay.ratings.finished_game import FinishedGame, finished_game
from service.simulation.self_play import self_play
from tests.replay.across.folders import annulled, write
from tests.support.games_of_players import PLAYERS, game_of_players
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.ruled_games import STRETCH, Course


def run(*arguments: str | Path) -> Result:
    """Run the command in this process, which saves what it takes to start one."""
    ran = CliRunner().invoke(ratings, [*map(str, arguments), "--workers", "1"])
    assert ran.exception is None or isinstance(ran.exception, SystemExit)
    return ran


def bots_game(system: str, bots: tuple[str, ...], number: int) -> list[bytes]:
    """The record of a whole game between bots."""
    table, log = self_play(system, len(bots), bots, f"{system}/{number}", {}, since=1000 * number)
    return list(write_record(header_for(table, ALL), (form_for(each, table.key, ALL) for each in log), []))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of bots in each system, one that was tampered with, and one that stops."""
    found = tmp_path_factory.mktemp("rated")
    for key, system in BY_KEY.items():
        rest = ("greedy",) * (system.players[0] - 2)
        for number, pair in enumerate((("greedy", "random"), ("random", "greedy"))):
            write(found / f"{key}-{number}.ndjson", bots_game(key, (*pair, *rest), number))
    good = bots_game("classic", ("greedy",) * 3, 9)
    write(found / "others" / "tampered.ndjson", [line.replace(b'"greedy 0"', b'"greedy 9"') for line in good])
    write(found / "others" / "cut.ndjson", good[:50])
    return found


def test_everybody_computes_the_same_bytes_from_records_of_every_system(folder: Path) -> None:
    """From the folder or from its files in another order; a pool for each system."""
    one = run(folder, "--json")
    two = run(*sorted(folder.rglob("*.ndjson*"), reverse=True), "--json")
    found, again = json.loads(one.stdout), json.loads(two.stdout)
    assert found["pools"] == again["pools"]
    assert [(each["system"], each["pool"]) for each in found["pools"]] == [
        (key, "bots") for key in sorted(BY_KEY)
    ]
    for pool in found["pools"]:
        assert {row["player"] for row in pool["players"]} == {"*greedy", "*random"}
        assert all(row["games"] == 2 for row in pool["players"])
    every = json.loads(
        run(folder / "classic-0.ndjson", folder / "classic-1.ndjson", "--time", "every", "--json").stdout
    )
    # No clock saw these games, so they have no month.
    assert [each["time"] for each in every["pools"]] == ["always", "untimed"]
    assert run(folder, "--time", "november").exit_code == 2


def test_what_does_not_verify_is_named_and_left_out(folder: Path) -> None:
    """The figures are those of a folder without it, and the status says that something was found."""
    ran = run(folder, "--system", "classic", "--json")
    found = json.loads(ran.stdout)
    reasons = {Path(each["name"]).name: each["reason"] for each in found["left_out"]}
    assert ran.exit_code == 1
    assert reasons == {"cut.ndjson": "does_not_verify", "tampered.ndjson": "does_not_verify"}
    good = [folder / f"classic-{number}.ndjson" for number in range(2)]
    alone = run(*good, "--json")
    assert alone.exit_code == 0
    assert json.loads(alone.stdout)["pools"] == found["pools"]


def test_what_is_known_beside_the_records_is_taken_from_a_file(folder: Path, tmp_path: Path) -> None:
    """A ruling after the end, and an id that means another player."""
    record = folder / "bean-duel-0.ndjson"
    game = json.loads(record.read_bytes().splitlines()[0])["game"]
    inputs = tmp_path / "inputs.json"
    inputs.write_text(json.dumps({"ruled": {game: {"kind": "annulled"}}, "merged": {"*random": "acme:9"}}))
    told = run(folder / "bean-duel-0.ndjson", folder / "bean-duel-1.ndjson", "--inputs", inputs)
    assert f"{game} does not count: a ruling annulled it" in told.stdout
    assert "acme:9" in told.stdout
    assert "*random" not in told.stdout
    assert "1 games" in told.stdout


def test_a_game_in_which_nobody_says_who_sits_there_does_not_count(tmp_path: Path) -> None:
    """A name is no player: anybody can take it. The command says which games these are."""
    write(tmp_path / "named.ndjson", recorded_game(3, 3).record())
    told = run(tmp_path)
    assert "game-3 does not count: people and bots played together" in told.stdout
    assert told.exit_code == 0


def ruled_on(course: Course, *commands: c.Command) -> RecordedGame:
    """The game once an arbiter has held it up and done this, played to its end."""
    course.send(ARBITER, c.PauseGame(1, "wrong_rule"))
    for command in commands:
        course.send(ARBITER, command)
    course.play(None)
    return RecordedGame(course.table, tuple(course.log))


def begun() -> Course:
    """A game of three players who are known by their ids."""
    return Course(1, "classic", 3, game_of_players("classic", 3, 3 * STRETCH))


def test_a_game_that_went_back_counts_once_by_its_final_result(tmp_path: Path) -> None:
    """What was played before an arbiter had it go back counts nowhere."""
    course = begun()
    back = course.version_before("draw")
    reason = "The service has refused a move that the booklet allows."
    ruling = c.RuleGame(1, "rewound", "Ada", "all since then", reason, back, seen_confirmed=True)
    game = ruled_on(course, ruling)
    write(tmp_path / "back.ndjson", game.record())
    assert any(each.type == "game_rewound" for each in game.log)

    played, result = read_game(RecordFolder(tmp_path), "back.ndjson"), game.table.state.result
    assert isinstance(played, PlayedGame)
    assert result is not None
    counted = finished_game(played)
    assert isinstance(counted, FinishedGame)
    assert counted.ended == game.log[-1].at
    assert [(each.who, each.score, each.won) for each in counted.seats] == [
        (who, result.scores[seat], seat in result.winners) for seat, who in enumerate(PLAYERS)
    ]
    (pool,) = json.loads(run(tmp_path, "--json").stdout)["pools"]
    assert {row["player"]: row["games"] for row in pool["players"]} == dict.fromkeys(PLAYERS, 1)


def test_a_game_that_an_arbiter_annulled_while_it_was_played_does_not_count(tmp_path: Path) -> None:
    """Its own record tells; no file beside it has to."""
    write(tmp_path / "annulled.ndjson", ruled_on(begun(), annulled()).record())
    found = json.loads(run(tmp_path, "--json").stdout)
    assert found["pools"] == []
    assert [each["reason"] for each in found["left_out"]] == ["annulled"]
