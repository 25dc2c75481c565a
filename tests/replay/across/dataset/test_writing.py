"""A dataset is written part by part: every game once, the same bytes, whatever happens in between."""

import fcntl
import hashlib
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from pyarrow import parquet

from replay.across.dataset.arrow import Tabulate, table_schema
from replay.across.dataset.format import FORMAT, TABLES
from replay.across.dataset.growing import ROWS_IN_GROUP, GrowingFile
from replay.across.dataset.manifest import DatasetRefused, Manifest
from replay.across.dataset.writing import open_dataset
from replay.across.left import Left, Reason
from replay.across.mapping import Mapped, map_games
from replay.across.source import RecordFolder
from tests.replay.across.dataset.datasets import NAMES, TERMS, digests, files_of, rows_of, write_dataset
from tests.replay.across.folders import write, write_good, write_left
from tests.support.recorded_games import recorded_game

SLOWLY = """
import sys
from pathlib import Path
from replay.across.source import RecordFolder
from tests.replay.across.dataset.datasets import write_dataset
write_dataset(Path(sys.argv[2]), RecordFolder(Path(sys.argv[1])), games_in_part=2)
"""


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games, and some that are left out."""
    return write_left(write_good(tmp_path_factory.mktemp("few")))


def add_some(folder: Path, records: Path, games: int | None = None, games_in_part: int = 1) -> int:
    """Add games to a dataset that may be there, and end after so many without finishing; how many were added."""
    there = Manifest(folder).terms() is not None
    with open_dataset(folder, TERMS, since_last=there, games_in_part=games_in_part) as writer:
        source = RecordFolder(records)
        for each in map_games(Tabulate(NAMES), source, 1, names=writer.find_new(source)[:games]):
            writer.add(each)
        if games is None:
            writer.finish()
        return writer.written


def test_the_same_games_give_the_same_bytes(few: Path, tmp_path: Path) -> None:
    """Twice in one process: files, parts, and what was left out."""
    first = write_dataset(tmp_path / "first", RecordFolder(few))
    second = write_dataset(tmp_path / "second", RecordFolder(few))

    assert digests(first) == digests(second)
    assert len(digests(first)) > 15


def test_two_processes_give_the_same_bytes_as_one(few: Path, tmp_path: Path) -> None:
    """Parts end where they end, whoever made the rows."""
    one = write_dataset(tmp_path / "one", RecordFolder(few), games_in_part=2)
    two = write_dataset(tmp_path / "two", RecordFolder(few), games_in_part=2, workers=2)

    assert digests(one) == digests(two)


def test_a_run_that_was_ended_is_gone_on_with(few: Path, tmp_path: Path) -> None:
    """After each game: in the end it is as if it had never been ended."""
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    write_dataset(whole, RecordFolder(few), games_in_part=1)

    added = [add_some(pieces, few, games=3), add_some(pieces, few, games=6), add_some(pieces, few)]

    assert sum(added) == 3
    assert digests(pieces) == digests(whole)


def test_a_process_that_is_killed_leaves_nothing_half_done(records: Path, tmp_path: Path) -> None:
    """It is killed once a part stands; who goes on takes away what no part names, and ends with the same files."""
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen([sys.executable, "-c", SLOWLY, str(records), str(killed)])
    while not list((killed / "parts").glob("*.json")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(list((killed / "parts").glob("*.json"))) < 13

    add_some(killed, records, games_in_part=2)
    write_dataset(whole, RecordFolder(records), games_in_part=2)

    assert digests(killed) == digests(whole)


def test_files_of_a_part_that_was_not_put_in_are_taken_away(few: Path, tmp_path: Path) -> None:
    """Whole files of the next part, and some that were not written to their end."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few))
    before = digests(folder)
    for path in files_of(folder, "games"):
        shutil.copy(path, path.with_name("000002.parquet"))
        path.with_name(".000002.parquet.abcd.part").write_bytes(b"half")
    assert digests(folder) != before

    assert add_some(folder, few) == 0
    assert digests(folder) == before


def test_a_part_is_full_by_its_rows_too(few: Path, tmp_path: Path) -> None:
    """So that it does not grow with how long games are."""
    with open_dataset(tmp_path / "dataset", TERMS, rows_in_part=1) as writer:
        for each in map_games(Tabulate(NAMES), RecordFolder(few), 1):
            writer.add(each)

    assert [len(part.games) for part in Manifest(tmp_path / "dataset").parts()] == [1, 1, 1]


def test_rows_are_written_long_before_a_file_is_whole(few: Path, tmp_path: Path) -> None:
    """A row group when it is full, the rest at the end; who ends before that leaves nothing."""
    mapped = next(map_games(Tabulate(NAMES), RecordFolder(few), 1))
    assert isinstance(mapped, Mapped)
    batch, events = mapped.answer.rows["events"], next(table for table in TABLES if table.name == "events")
    times = ROWS_IN_GROUP // batch.num_rows + 2

    def growing(name: str) -> GrowingFile:
        file = GrowingFile(tmp_path / "events" / name, events, "public")
        for _ in range(times):
            file.add(batch)
        (there,) = (tmp_path / "events").glob(f".{name}.*.part")
        assert there.stat().st_size > 1000
        return file

    growing("1.parquet").finish(tmp_path)
    growing("2.parquet").discard()

    (whole,) = (tmp_path / "events").iterdir()
    assert parquet.read_metadata(whole).num_row_groups == 2
    assert parquet.read_metadata(whole).num_rows == times * batch.num_rows
    assert parquet.read_table(whole).slice(0, batch.num_rows).to_pylist() == batch.to_pylist()


def test_only_new_games_are_added(few: Path, tmp_path: Path) -> None:
    """Each is in once, also where its file has got another name; the files before stay as they are."""
    records = tmp_path / "records"
    shutil.copytree(few, records)
    folder = write_dataset(tmp_path / "dataset", RecordFolder(records))
    before = digests(folder)
    (records / "a.ndjson").rename(records / "again.ndjson")
    (records / "new.ndjson").write_bytes(b"".join(recorded_game(8, 3).record()))

    assert add_some(folder, records) == 1
    assert add_some(folder, records) == 0

    games = [row["game"] for row in rows_of(folder, "games")]
    assert sorted(games) == ["game-1", "game-2", "game-3", "game-8"]
    after = digests(folder)
    assert {path: after[path] for path in before if path != "left.json"} == {
        path: digest for path, digest in before.items() if path != "left.json"
    }


def test_a_copy_is_named_in_every_run(few: Path, tmp_path: Path) -> None:
    """Also in one that reads the copy alone, since the game itself is in; a file that was renamed is no copy."""
    records = tmp_path / "records"
    shutil.copytree(few, records)
    shutil.copy(records / "below" / "c.ndjson", records / "below" / "copy.ndjson")
    folder = write_dataset(tmp_path / "dataset", RecordFolder(records))
    whole = Manifest(folder).left()
    (records / "a.ndjson").rename(records / "renamed.ndjson")

    added = [add_some(folder, records), add_some(folder, records)]

    assert added == [0, 0]
    assert Manifest(folder).left() == whole
    twice = [(each.name, each.game) for each in whole.games if each.reason is Reason.TWICE]
    assert twice == [("below/copy.ndjson", "game-3")]


@pytest.mark.parametrize("name", ["a.ndjson", "below/b.ndjson.gz"])
def test_a_file_that_holds_another_game_by_now_is_read(few: Path, tmp_path: Path, name: str) -> None:
    """Its name alone says nothing; afterwards it is known, too, and what went in before stays in."""
    records = tmp_path / "records"
    shutil.copytree(few, records)
    folder = write_dataset(tmp_path / "dataset", RecordFolder(records))
    write(records / name, recorded_game(8, 3).record())

    assert add_some(folder, records) == 1
    assert add_some(folder, records) == 0

    games = [row["game"] for row in rows_of(folder, "games")]
    assert sorted(games) == ["game-1", "game-2", "game-3", "game-8"]


def test_a_file_that_tells_another_course_by_now_is_named(few: Path, tmp_path: Path) -> None:
    """It is of the same game, and contradicts what is in; one that is no record any more is left out as such."""
    records = tmp_path / "records"
    shutil.copytree(few, records)
    folder = write_dataset(tmp_path / "dataset", RecordFolder(records))
    write(records / "a.ndjson", recorded_game(1, most_offers=5).record())
    (records / "below" / "c.ndjson").write_bytes(b"")

    assert add_some(folder, records) == 0

    left = {each.name: each.reason for each in Manifest(folder).left().games}
    assert left["a.ndjson"] is Reason.CONTRADICTS
    assert left["below/c.ndjson"] is Reason.DOES_NOT_VERIFY


def test_a_game_of_an_id_that_is_in_with_another_course_is_named(few: Path, tmp_path: Path) -> None:
    """It is not added."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few))
    others = tmp_path / "others"
    others.mkdir()
    (others / "other.ndjson").write_bytes(b"".join(recorded_game(1, most_offers=5).record()))

    assert add_some(folder, others) == 0
    [left] = Manifest(folder).left().games
    assert (left.game, left.reason) == ("game-1", Reason.CONTRADICTS)


def test_what_was_left_out_stands_beside_the_tables(few: Path, tmp_path: Path) -> None:
    """Named, with the reason, and counted."""
    left = Manifest(write_dataset(tmp_path / "dataset", RecordFolder(few))).left()

    assert len(left.games) == sum(left.counts.values()) == 8
    assert left.counts["does_not_verify"] == 4


def test_a_public_dataset_counts_hidden_games_and_names_none(tmp_path: Path) -> None:
    """The id of a private game is no matter for everybody."""
    with open_dataset(tmp_path / "dataset", TERMS) as writer:
        writer.add(Left("game-77", Reason.PRIVATE, "the game is private", "game-77"))
        writer.add(Left("game-78", Reason.UNLISTED, "the game is unlisted", "game-78"))
        writer.finish()

    left = Manifest(tmp_path / "dataset").left()
    assert left.counts == {"private": 1, "unlisted": 1}
    assert b"game-7" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.json"))


def test_each_part_names_its_files_with_their_digests(few: Path, tmp_path: Path) -> None:
    """So that a copy of a dataset can be checked."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few), games_in_part=2)
    parts = list(Manifest(folder).parts())

    assert [len(part.games) for part in parts] == [2, 1]
    named = {file.path: file for part in parts for file in part.files}
    assert set(named) == {path for path in digests(folder) if path.endswith(".parquet")}
    for path, file in named.items():
        content = (folder / path).read_bytes()
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
        assert parquet.read_metadata(folder / path).num_rows == file.rows


def test_each_file_says_what_it_is(dataset: Path) -> None:
    """The format's version, the table, whom it is for, and what each column means."""
    for table in TABLES:
        for path in files_of(dataset, table.name):
            schema = parquet.read_schema(path)
            told = schema.metadata
            assert told[b"fieldbook.dataset"] == str(FORMAT).encode()
            assert (told[b"fieldbook.table"], told[b"fieldbook.audience"]) == (table.name.encode(), b"public")
            assert [(field.name, field.nullable) for field in schema] == [
                (field.name, field.nullable) for field in table_schema(table, "public")
            ]
            assert [field.metadata[b"meaning"].decode() for field in schema] == [
                column.meaning for column in table.columns
            ]


def test_a_dataset_is_not_written_over(few: Path, tmp_path: Path) -> None:
    """Nor is anything else that a folder holds, and other terms are other terms."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("Only copy.")

    with pytest.raises(DatasetRefused, match="--since-last"), open_dataset(folder, TERMS):
        pass
    with pytest.raises(DatasetRefused, match="something else"), open_dataset(tmp_path / "other", TERMS):
        pass
    complete = replace(TERMS, audience="complete")
    with pytest.raises(DatasetRefused, match="other terms"), open_dataset(folder, complete, since_last=True):
        pass
    (folder / "dataset.json").write_text('{"format": 99, "audience": "everybody"}')
    with pytest.raises(DatasetRefused, match="another format"), open_dataset(folder, TERMS, since_last=True):
        pass


def test_one_process_writes_at_a_time(few: Path, tmp_path: Path) -> None:
    """The second is refused, and the first is not disturbed."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few))
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with (
            pytest.raises(DatasetRefused, match="Another process"),
            open_dataset(folder, TERMS, since_last=True),
        ):
            pass


def test_a_part_that_is_missing_is_noticed(few: Path, tmp_path: Path) -> None:
    """What its games are is not known then, so nothing is added."""
    folder = write_dataset(tmp_path / "dataset", RecordFolder(few), games_in_part=1)
    (folder / "parts" / "000002.json").unlink()

    with pytest.raises(DatasetRefused, match="part 2 belongs"), open_dataset(folder, TERMS, since_last=True):
        pass
