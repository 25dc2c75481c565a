"""`diff`: what differs between two versions of a game, and where two records part."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC
from events.rules.table.player_view import player_view
from replay.command_line import replay
from replay.timeline.differences import Difference, Divergence, differences, find_divergence
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.commands.commands import PUBLIC as PUBLIC_RECORD
from tests.replay.commands.commands import SEAT, WHOLE
from tests.replay.whole_games import ONE_OF_EACH, timeline_of
from tests.support.recorded_games import recorded_game

GAME = timeline_of(WHOLE)


def run(*arguments: str | Path) -> Result:
    """Run `diff` in this process."""
    return CliRunner().invoke(replay, ["diff", *map(str, arguments)])


def changed(one: Timeline, first: int, last: int) -> dict[str, Difference]:
    """The differences by place."""
    found = differences(one.at(first).state, one.at(last).state, one.viewer)
    return {each.place: each for each in found}


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
def test_two_versions_differ_where_their_views_do(path: Path) -> None:
    """Equal tables have no difference; each one that is named is in the views as it says, in every system."""
    seen = timeline_of(path).seen_by(1)
    for first in range(5, seen.last, 61):
        last = min(seen.last, first + 47)
        one, other = player_view(seen.at(first).state, 1), player_view(seen.at(last).state, 1)
        found = changed(seen, first, last)
        assert bool(found) == (one != other)
        for name in one.keys() | other.keys():
            named = any(place == name or place.startswith(f"{name}/") for place in found)
            assert named == (one.get(name) != other.get(name)), name
        assert not differences(seen.at(first).state, seen.at(first).state, 1)


def test_a_difference_says_what_lay_there_before_and_after() -> None:
    """Places go down to a seat's single field; hands of others are sizes."""
    found = changed(GAME.seen_by(1), 120, 140)

    assert found["turn"] == Difference("turn", 6, 8)
    assert found["seats/1/fields/0"] == Difference("seats/1/fields/0", ["blue"], ["soy"])
    assert found["seats/0/hand"] == Difference("seats/0/hand", {"size": 6}, {"size": 9})
    assert "seats/3/fields/0" not in found


def test_records_of_one_game_part_nowhere() -> None:
    """In another scope the chain is the same, and a beginning of a game is one."""
    public = GAME.seen_by(PUBLIC)
    other = read_timeline(*read_record(PUBLIC_RECORD.read_bytes().splitlines(keepends=True)), PUBLIC)
    assert find_divergence(public, other) == Divergence(None, None, GAME.last, GAME.last)

    game = recorded_game(5, 3, (), 6)
    whole = read_timeline(*read_record(game.record()), ALL)
    end = next(
        entry.version - 1
        for entry in game.log
        if entry.version > 80 and entry.command and entry.actor != "dealer"
    )
    part = read_timeline(*read_record(game.record(ALL, end)), ALL)
    assert find_divergence(whole, part) == Divergence(None, None, whole.last, end)


def test_two_games_part_where_something_else_happens() -> None:
    """The chains differ at once; what happened differs at the first event that is another one."""
    one, other = (read_timeline(*read_record(recorded_game(seed, 3, (), 6).record()), ALL) for seed in (5, 6))
    parted = find_divergence(one, other)

    assert parted.chain == 1
    assert parted.play is not None
    same = [one.at(version).event == other.at(version).event for version in range(2, parted.play)]
    assert all(same)
    assert one.at(parted.play).event != other.at(parted.play).event


def test_the_command_prints_text_and_json() -> None:
    """The same differences, for people and for programs."""
    told = json.loads(run(WHOLE, "--from", "120", "--to", "140", "--as", "seat:1", "--json").output)
    found = differences(GAME.at(120).state, GAME.at(140).state, 1)

    assert (told["from"], told["to"], told["as"]) == (120, 140, "seat:1")
    assert told["differences"] == json.loads(msgspec.json.encode(found))
    assert "Nothing differs." in run(WHOLE, "--from", "120", "--to", "120").output
    both = json.loads(run(WHOLE, SEAT, "--as", "seat:1", "--json").output)
    assert both["parting"] == {
        "chain": None,
        "play": None,
        "first_ends": GAME.last,
        "second_ends": GAME.last,
    }


def test_two_games_are_shown_with_both_entries_and_tables(tmp_path: Path) -> None:
    """The entries at which they part, and how the tables differ after them."""
    paths = []
    for seed in (5, 6):
        paths.append(tmp_path / f"{seed}.ndjson")
        paths[-1].write_bytes(b"".join(recorded_game(seed, 3, (), 6).record()))
    result = run(*paths)
    told = json.loads(run(*paths, "--json").output)

    assert result.exit_code == 0
    assert "chains        part at version 1\n" in result.output
    assert [entry["entry"]["version"] for entry in told["entries"]] == [told["parting"]["play"]] * 2
    for entry in told["entries"]:
        assert entry["text"] in result.output
    assert told["differences"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([WHOLE], "either --from and --to of one game, or two games"),
        ([WHOLE, SEAT, "--from", "3"], "either --from and --to of one game, or two games"),
        ([WHOLE, SEAT, "--to", "3"], "--to belongs to --from"),
        ([WHOLE, SEAT], "choose a perspective that both hold with --as"),
        ([WHOLE, SEAT, "--as", "seat:2"], "holds only what seat:1 may see"),
        ([WHOLE, "--from", "9999"], "--from 9999: the record ends with version"),
        ([WHOLE, "--from", "1", "--to", "9999"], "--to 9999: the record ends with version"),
    ],
    ids=str,
)
def test_wrong_use_of_diff_ends_with_status_2(arguments: list[str | Path], message: str) -> None:
    """With what is wrong."""
    result = run(*arguments)

    assert result.exit_code == 2
    assert message in result.output
