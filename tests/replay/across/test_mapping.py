"""The map over games: every game gives an answer or a reason, in order, on one core or on several."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from replay.across.left import BY_CHOICE, USUALLY_LEFT, Left, Reason, count_left
from replay.across.mapping import Mapped, map_game, map_games
from replay.across.source import RecordFolder
from tests.replay.across.folders import (
    GOOD,
    count_entries,
    end_badly,
    names_of,
    write,
    write_good,
    write_left,
    write_rewound,
)
from tests.support.recorded_games import recorded_game
from tests.support.servers import eventually

ENDLESS = """
import sys
from itertools import cycle
from pathlib import Path
from replay.across.mapping import map_games
from replay.across.source import RecordFolder
from tests.replay.across.folders import count_entries
for each in map_games(count_entries, RecordFolder(Path(sys.argv[1])), 2, names=cycle(["a.ndjson"])):
    print(each.name, flush=True)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of every kind."""
    return write_rewound(write_left(write_good(tmp_path_factory.mktemp("records"))))


def test_a_function_is_asked_about_each_game_in_the_order_of_the_names(tmp_path: Path) -> None:
    """Plain and gzipped files, those of folders below, too."""
    answers = list(map_games(count_entries, RecordFolder(write_good(tmp_path)), workers=1))

    assert names_of(answers) == ["a.ndjson", "below/b.ndjson.gz", "below/c.ndjson"]
    assert [each.game for each in answers] == list(GOOD)
    assert [each.answer for each in answers if isinstance(each, Mapped)] == [
        len(recorded_game(1).log),
        len(recorded_game(2, 2, system="the-duel").log),
        len(recorded_game(3, 3).log),
    ]


@pytest.mark.process
def test_two_processes_answer_the_same_as_one(folder: Path) -> None:
    """What is left out and in which order everything comes, too."""
    source = RecordFolder(folder)

    assert list(map_games(count_entries, source, workers=2)) == list(
        map_games(count_entries, source, workers=1)
    )


def test_what_cannot_be_counted_is_named_with_its_reason(folder: Path) -> None:
    """No game of the folder is missing among answers and reasons together."""
    answers = list(map_games(count_entries, RecordFolder(folder), workers=1))
    left = {each.name: each.reason for each in answers if isinstance(each, Left)}

    assert left == {
        "annulled.ndjson": Reason.ANNULLED,
        "broken.ndjson": Reason.DOES_NOT_VERIFY,
        "cut.ndjson.gz": Reason.DOES_NOT_VERIFY,
        "later.ndjson": Reason.OTHER_RELEASE,
        "no-record.ndjson": Reason.DOES_NOT_VERIFY,
        "public.ndjson": Reason.NOT_WHOLE,
        "running.ndjson": Reason.UNFINISHED,
        "tampered.ndjson": Reason.DOES_NOT_VERIFY,
    }
    assert len(answers) == len(left) + len(GOOD) + 1
    assert all(each.detail for each in answers if isinstance(each, Left))


def test_reasons_are_counted(folder: Path) -> None:
    """The sum of the counts is the number of those that are missing."""
    answers = list(map_games(count_entries, RecordFolder(folder), workers=1))

    assert count_left(each for each in answers if isinstance(each, Left)) == {
        "does_not_verify": 4,
        "other_release": 1,
        "not_whole": 1,
        "unfinished": 1,
        "annulled": 1,
    }


def test_annulled_and_rewound_games_are_left_out_or_taken_as_one_likes(folder: Path) -> None:
    """A game that went back is usually taken, an annulled one is not."""
    source = RecordFolder(folder)
    taken = {
        (name, choice): isinstance(map_game(count_entries, source, name, choice), Mapped)
        for name in ("annulled.ndjson", "rewound.ndjson", "a.ndjson")
        for choice in (USUALLY_LEFT, BY_CHOICE, frozenset[Reason]())
    }

    assert [name for (name, choice), is_taken in taken.items() if is_taken and choice is USUALLY_LEFT] == [
        "rewound.ndjson",
        "a.ndjson",
    ]
    assert [name for (name, choice), is_taken in taken.items() if is_taken and choice is BY_CHOICE] == [
        "a.ndjson"
    ]
    assert all(is_taken for (_, choice), is_taken in taken.items() if not choice)


def test_a_game_that_comes_again_counts_once(tmp_path: Path) -> None:
    """The second file is named; and that it tells another course, where it does."""
    write(tmp_path / "a.ndjson", recorded_game(1).record())
    shutil.copy(tmp_path / "a.ndjson", tmp_path / "b.ndjson")
    other = recorded_game(1, most_offers=5)
    assert other.table.game == "game-1"
    write(tmp_path / "c.ndjson", other.record())

    answers = list(map_games(count_entries, RecordFolder(tmp_path), workers=1))

    first, second, third = answers
    assert isinstance(first, Mapped)
    assert isinstance(second, Left)
    assert isinstance(third, Left)
    assert (second.reason, third.reason) == (Reason.TWICE, Reason.CONTRADICTS)


@pytest.mark.process
def test_an_error_of_the_function_ends_the_map_and_names_the_game(tmp_path: Path) -> None:
    """In this process and in another one: an answer that is missing must not look like a game that is not there."""
    source = RecordFolder(write_good(tmp_path))
    for workers in (1, 2):
        with pytest.raises(ZeroDivisionError) as caught:
            list(map_games(end_badly, source, workers))

        assert caught.value.__notes__ == ["The game was below/b.ndjson.gz."]


@pytest.mark.process
def test_a_map_can_be_ended_early(folder: Path) -> None:
    """Its processes end with it."""
    answers = map_games(count_entries, RecordFolder(folder), workers=2)

    assert next(answers).name == "a.ndjson"
    answers.close()

    assert list(answers) == []


@pytest.mark.process
def test_processes_end_with_a_map_that_is_killed(tmp_path: Path) -> None:
    """None goes on reading for nobody."""
    write_good(tmp_path)
    with subprocess.Popen([sys.executable, "-c", ENDLESS, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"a.ndjson\n"
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.kill()
    assert len(children) >= 2

    eventually(lambda: not any(map(is_alive, children)))


def is_alive(pid: str) -> bool:
    """Whether a process runs; one that has ended and was asked for by nobody does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_only_the_names_that_were_asked_for_are_read(folder: Path) -> None:
    """In the order in which they were asked for."""
    asked = ["below/c.ndjson", "a.ndjson"]

    answers = list(map_games(count_entries, RecordFolder(folder), workers=1, names=asked))

    assert names_of(answers) == asked


def test_a_file_that_goes_away_is_named(tmp_path: Path) -> None:
    """Between naming it and reading it."""
    [answer] = map_games(count_entries, RecordFolder(tmp_path), workers=1, names=["gone.ndjson"])

    assert isinstance(answer, Left)
    assert answer.reason is Reason.UNREADABLE
    assert "gone.ndjson" in answer.detail


def test_a_folder_that_is_not_there_is_no_empty_folder(tmp_path: Path) -> None:
    """It is refused, not counted as no games."""
    with pytest.raises(FileNotFoundError):
        list(map_games(count_entries, RecordFolder(tmp_path / "none"), workers=1))
