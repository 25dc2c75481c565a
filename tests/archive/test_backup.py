"""Backup and restore of a whole installation: while play goes on, verified, or refused with nothing half done."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from events.redis_connection import RedisConnection
from events.redis_store import RedisEventStore
from events.store_errors import StoreMisconfigured
from service.admission import House
from service.backing_up import LEFT_OUT, BackingUp
from service.backup_files import MANIFEST, BackupUnusable
from service.operator_acts import Act, OperatorActs
from service.restored import verify_restored
from service.restoring import Restoring
from service.signing_keys import SigningKeys
from service.store_settings import StoreSettings
from service.targets import Target, open_target
from service.transparency_log import TransparencyLog
from tests.archive.conftest import NOW, Installation
from tests.archive.test_commands import BOTS, fieldbook
from tests.support.http_play import Party, events_of
from tests.support.processes import EVERYTHING, Service
from tests.support.s3_server import BUCKET, RunningS3
from tests.support.servers import RunningStore, eventually


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RunningStore]:
    """Run a second server, which is empty."""
    with RunningStore(tmp_path / "elsewhere") as running:
        yield running


@pytest.fixture(params=["folder", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    """A place for a backup, empty."""
    if request.param == "folder":
        return open_target(str(tmp_path / "backup"))
    server: RunningS3 = request.getfixturevalue("s3")
    return open_target(f"s3://{BUCKET}/{tmp_path.name}-backup", server.options)


def settings(folder: Path) -> StoreSettings:
    """Settings with this data folder."""
    return StoreSettings.from_environment({"FIELDBOOK_DATA": str(folder)})


def contents(store: RedisEventStore) -> dict[bytes, Any]:
    """Every key of a store with its value."""
    command = store.connection.command
    reading = {
        b"string": ("GET",),
        b"hash": ("HGETALL",),
        b"list": ("LRANGE", 0, -1),
        b"set": ("SMEMBERS",),
        b"zset": ("ZRANGE", 0, -1, "WITHSCORES"),
        b"stream": ("XRANGE", "-", "+"),
    }
    found = {}
    for name in command("KEYS", "*"):
        reader, *arguments = reading[command("TYPE", name)]
        value = command(reader, name, *arguments)
        found[name] = sorted(zip(value[::2], value[1::2], strict=True)) if reader == "HGETALL" else value
        if reader == "SMEMBERS":
            found[name] = sorted(value)
    return found


def kept(found: dict[bytes, Any]) -> dict[bytes, Any]:
    """Those that a backup must bring back: all but what is computed again."""
    again = (":projection:games-1:", ":projection:bots-1:", "rq:")
    return {name: value for name, value in found.items() if not any(each in name.decode() for each in again)}


def filled(installation: Installation, tmp_path: Path) -> SigningKeys:
    """Give an installation an archived, a finished, a running and an open game, and keys of all kinds."""
    keys = SigningKeys(tmp_path / "data", "fieldbook.test/backup")
    installation.archived(1)
    finished = installation.finished(2)
    table = finished.recorded.head
    TransparencyLog(installation.store, keys).log(table)
    hidden = installation.api.stored(4, house=House(visibility="private"))
    TransparencyLog(installation.store, keys).log(hidden.recorded.head)
    installation.api.call("POST", f"/v1/games/{hidden.id}/spectators", {}, token=hidden.tokens[0])
    OperatorActs(installation.store).record(Act(at=1, who="key_0", what="key_created", about="key_1"))
    installation.api.stored(3, stop_at=80)
    installation.api.create([{"name": "Ada"}, None, None])
    command = installation.store.connection.command
    command("ZADD", "{p01}:future:scores", 1, "a", 2.5, "b")
    command("RPUSH", "{p01}:future:list", "b", "a", "b")
    command("SADD", "{p01}:future:set", "x", b"\xff")
    command("SET", "{p01}:future:text", b"\x00text")
    command("XADD", "{p01}:future:stream", "5-1", "field", "value")
    command("SET", "{p01}:future:passing", "gone soon", "EX", 100)
    return keys


def test_everything_comes_back(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore, place: Target
) -> None:
    """Every key but those that expire or are computed again, with its very value; verified."""
    filled(in_folder, tmp_path)
    manifest = BackingUp(in_folder.store, settings(tmp_path / "data"), place).run(NOW)

    connection = RedisConnection(elsewhere.url)
    Restoring(place, connection, tmp_path / "new").run()
    store = RedisEventStore(connection, archived=in_folder.files)
    found = verify_restored(store, SigningKeys(tmp_path / "new"), manifest)

    assert (found.games, found.archived) == (5, 1)
    before = kept(contents(in_folder.store))
    del before[b"{p01}:future:passing"]
    assert contents(store) == before
    assert (tmp_path / "new" / "signing-keys.json").stat().st_mode & 0o077 == 0
    assert in_folder.store.installation == store.installation
    for each in in_folder.api.get("/v1/games")["games"]:
        assert store.read(each["game"]) == in_folder.store.read(each["game"])
    store.close()


def test_every_kind_of_key_is_either_copied_or_left_out_on_purpose(
    in_folder: Installation, tmp_path: Path
) -> None:
    """A key that a later version adds is copied by itself; nothing is left out by accident."""
    filled(in_folder, tmp_path)
    names = {name.decode() for name in contents(in_folder.store)}
    copied = {name for name in names if LEFT_OUT.fullmatch(name) is None}

    kinds = {name.split(":")[1] if name.startswith("{p") else name for name in names - copied}
    assert {kind for kind in kinds if not kind.startswith("rq")} == {
        "game",
        "feed",
        "projection",
        "fieldbook:installation",
    }
    assert any(name.endswith("validations-1:reports") for name in copied)
    assert "{keys}:keys" in copied


@pytest.mark.parametrize("damage", ["flipped", "cut off", "missing", "manifest", "unfinished", "key"])
def test_a_damaged_backup_is_refused_before_anything_is_written(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore, damage: str
) -> None:
    """The store stays empty, and so does the data folder."""
    filled(in_folder, tmp_path)
    folder = tmp_path / "backup"
    BackingUp(in_folder.store, settings(tmp_path / "data"), open_target(str(folder))).run(NOW)
    log, manifest = folder / "store-0001.ndjson.gz", folder / MANIFEST
    match damage:
        case "flipped":
            content = bytearray(log.read_bytes())
            content[len(content) // 2] ^= 1
            log.write_bytes(content)
        case "cut off":
            log.write_bytes(log.read_bytes()[:-1])
        case "missing":
            log.unlink()
        case "manifest":
            manifest.write_bytes(manifest.read_bytes().replace(b'"games": 5', b'"games": 6'))
        case "unfinished":
            manifest.unlink()
        case "key":
            path = folder / "signing-keys.json"
            path.write_bytes(path.read_bytes().replace(b"A", b"B"))

    connection = RedisConnection(elsewhere.url)
    with pytest.raises(BackupUnusable):
        Restoring(open_target(str(folder)), connection, tmp_path / "new").run()

    assert connection.command("DBSIZE") == 0
    assert not (tmp_path / "new").exists()
    connection.close()


def test_nothing_is_restored_over_something(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore
) -> None:
    """Neither over a store that holds something, nor over a data folder with keys; nor is a backup overwritten."""
    filled(in_folder, tmp_path)
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings(tmp_path / "data"), place).run(NOW)

    with pytest.raises(BackupUnusable, match="store is not empty"):
        Restoring(place, in_folder.store.connection, tmp_path / "new").run()
    connection = RedisConnection(elsewhere.url)
    with pytest.raises(BackupUnusable, match="empty data folder"):
        Restoring(place, connection, tmp_path / "data").run()
    with pytest.raises(BackupUnusable, match="not empty"):
        BackingUp(in_folder.store, settings(tmp_path / "data"), place).run(NOW)
    assert connection.command("DBSIZE") == 0
    connection.close()


def test_a_restore_that_was_not_finished_is_not_played_on(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore
) -> None:
    """Stopped in the middle: no process works with the store, and the error says what to do."""
    filled(in_folder, tmp_path)
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings(tmp_path / "data"), place).run(NOW)
    connection = RedisConnection(elsewhere.url)
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")

    with pytest.raises(OSError, match="a file"):
        Restoring(place, connection, blocked).run()
    with pytest.raises(StoreMisconfigured, match="not finished"):
        RedisEventStore.connect(elsewhere.url)
    connection.close()


def test_play_goes_on_during_a_backup_and_after_a_restore(tmp_path: Path) -> None:
    """A second service holds every game as it stood at the cut, and is played on with the old keys and tokens."""
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    with Service(folders[0]) as first, Service(folders[1]) as second:
        first.start(*EVERYTHING)
        first.await_ready()
        key = first.key()
        for number in range(4):
            body = {"system": "classic", "seats": BOTS}
            first.api.call(
                "POST", "/v1/games", body, token=key, headers={"Idempotency-Key": f"bots-{number}"}
            )
        people = {"system": "classic", "seats": [{"name": name} for name in ("Ada", "Bob", "Cleo")]}
        made = first.api.call("POST", "/v1/games", people, token=key).json
        party = Party(first.api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
        party.play(20)
        stopping = Event()
        playing = Thread(target=_play_until, args=(party, stopping))
        playing.start()
        try:
            done = fieldbook(first, "backup", str(tmp_path / "backup"))
        finally:
            stopping.set()
            playing.join()
        assert done.returncode == 0, done.stderr
        assert "Backed up: 5 games" in done.stdout

        restored = fieldbook(second, "restore", str(tmp_path / "backup"))
        assert restored.returncode == 0, restored.stderr
        assert "Restored and verified: 5 games" in restored.stdout
        again = fieldbook(second, "restore", str(tmp_path / "backup"))
        assert again.returncode == 1
        assert "not empty" in again.stderr

        second.start(*EVERYTHING)
        second.await_ready()
        eventually(lambda: len(second.api.call("GET", "/v1/games").json["games"]) == 5)
        cut = heads_in(tmp_path / "backup")
        assert len(cut) == 5
        for game, (version, head) in cut.items():
            for service in (first, second):
                assert events_of(service.api, game)[version - 1]["hash"] == head
        there = Party(second.api, made["game"], party.tokens, random.Random(2))
        assert there.play(20) or max(there.acknowledged) > cut[made["game"]][0]
        assert (
            events_of(second.api, made["game"])[19]["hash"] == events_of(first.api, made["game"])[19]["hash"]
        )
        eventually(lambda: len(_finished(second)) >= 4, seconds=120)


def heads_in(folder: Path) -> dict[str, tuple[int, str]]:
    """Version and head of each game of a backup, as its lines say."""
    lines = gzip.decompress((folder / "store-0001.ndjson.gz").read_bytes()).splitlines()
    games = [line for line in map(json.loads, lines) if line["type"] == "game"]
    return {line["game"]: (line["version"], line["hash"]) for line in games}


def _finished(service: Service) -> list[Any]:
    found: list[Any] = service.api.call("GET", "/v1/games?status=finished").json["games"]
    return found


def _play_until(party: Party, stopping: Event) -> None:
    while not stopping.is_set():
        if party.play(1):
            return
