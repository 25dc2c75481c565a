"""An archive that is damaged or away: a clear refusal, and never anything of it served."""

import shutil
from pathlib import Path

import pytest

from events.store.errors import ArchiveUnavailable, StoreDamaged
from service.platform.targets import open_target
from tests.service.in_process import Stored
from tests.support.archiving import NOW, Installation, file_of
from tests.support.s3_server import RunningS3

PATHS = ("", "?at=5", "/events", "/events?after=9&limit=2", "/record", "/proof", "/receipt", "/commands")


def check_refused(installation: Installation, game: Stored, status: int, code: str) -> None:
    """Every read is answered with this problem."""
    for path in PATHS:
        answer = installation.api.call("GET", f"/v1/games/{game.id}{path}", token=game.tokens[0])
        assert (answer.status, answer.json["code"]) == (status, code), path
        assert status != 503 or int(answer.headers["retry-after"]) > 0
    stream = {"Accept": "text/event-stream"}
    answer = installation.api.call("GET", f"/v1/games/{game.id}/events", headers=stream)
    assert (answer.status, answer.json["code"]) == (status, code)


@pytest.mark.parametrize("damage", ["flipped", "cut off", "empty", "longer", "of another game", "missing"])
def test_a_damaged_file_is_refused(
    in_folder: Installation, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever happened to it: 500 `log_damaged`, said in the log, for every read; other games are untouched."""
    other, game = in_folder.archived(2), in_folder.archived(1)
    path = file_of(in_folder, game.id)
    content = path.read_bytes()
    middle = len(content) // 2
    changed = {
        "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "cut off": content[:middle],
        "empty": b"",
        "longer": content + b"\0",
        "of another game": file_of(in_folder, other.id).read_bytes(),
    }
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(changed[damage])

    check_refused(in_folder, game, 500, "log_damaged")

    assert game.id in caplog.text
    said = in_folder.api.call("GET", f"/v1/games/{game.id}").json["detail"]
    assert "the archive's copy" in said.lower()
    assert in_folder.api.get(f"/v1/games/{other.id}")["status"] == "finished"
    with pytest.raises(StoreDamaged):
        in_folder.archiving.restore(game.id, NOW)
    with pytest.raises(StoreDamaged):
        in_folder.archiving.verify(game.id)
    path.write_bytes(content)
    assert in_folder.store.read(game.id) == game.recorded.log


@pytest.mark.parametrize("place", [0, 1, 3, 9, 10, 100, -9, -8, -4, -1])
def test_no_flipped_byte_slips_through(in_folder: Installation, place: int) -> None:
    """In the compression's own header and checksum too."""
    game = in_folder.archived()
    path = file_of(in_folder, game.id)
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)

    with pytest.raises(StoreDamaged, match="is not the one that was written"):
        in_folder.store.read(game.id)


def test_an_archive_that_is_away_is_said_to_be_away(in_folder: Installation) -> None:
    """A folder that is not mounted: 503 with Retry-After; once it is back everything reads as before."""
    game = in_folder.archived()
    folder = Path(in_folder.target.address.removeprefix("file://"))
    away = folder.with_name("unmounted")
    shutil.move(folder, away)

    check_refused(in_folder, game, 503, "archive_unavailable")

    shutil.move(away, folder)
    assert in_folder.store.read(game.id) == game.recorded.log


def test_a_server_that_is_down_is_said_to_be_down(
    redis_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """503 with Retry-After, within seconds; live games do not notice."""
    monkeypatch.setenv("QUEUE_REDIS_URL", redis_url)
    with RunningS3() as server:
        installation = Installation(redis_url, open_target("s3://fieldbook/games", server.options))
        game, live = installation.archived(1), installation.api.stored(2, stop_at=50)
    try:
        answer = installation.api.call("GET", f"/v1/games/{game.id}")
        assert (answer.status, answer.json["code"]) == (503, "archive_unavailable")
        assert installation.api.get(f"/v1/games/{live.id}")["status"] == "running"
    finally:
        installation.close()


def test_without_a_configured_archive_archived_games_are_unavailable(in_folder: Installation) -> None:
    """The operator is told what to set."""
    game = in_folder.archived()
    in_folder.store.archiving = type(in_folder.store.archiving)(
        in_folder.store.connection, in_folder.store.functions, in_folder.store.partitions, None
    )

    with pytest.raises(ArchiveUnavailable, match="FIELDBOOK_ARCHIVE"):
        in_folder.store.read(game.id)
    assert in_folder.store.head(game.id) is not None


def test_what_cannot_be_written_is_not_archived(in_folder: Installation) -> None:
    """A target that refuses leaves the game where it is."""
    game = in_folder.finished()
    folder = Path(in_folder.target.address.removeprefix("file://"))
    (folder / "games").write_bytes(b"a file is in the way")

    with pytest.raises(ArchiveUnavailable, match="cannot be used"):
        in_folder.archiving.archive(game.id, NOW)

    assert in_folder.stream_is_there(game.id)
    assert in_folder.store.archiving.tombstone(game.id) is None


def test_a_copy_that_changes_on_its_way_is_noticed(in_folder: Installation) -> None:
    """The target is read back before the stream goes: what it lost or changed is not archived."""
    game = in_folder.finished()
    steps = in_folder.archiving.steps(game.id, NOW)
    assert [next(steps), next(steps)] == ["read", "written"]
    (name,) = in_folder.target.names()
    path = Path(in_folder.target.address.removeprefix("file://")) / name
    path.write_bytes(path.read_bytes()[:-1])

    with pytest.raises(StoreDamaged, match="is not the one that was written"):
        next(steps)

    assert in_folder.store.read(game.id) == game.recorded.log
    assert in_folder.archiving.archive(game.id, NOW).what == "archived"
