"""Backup and restore of a whole installation: while play goes on, verified, or refused with nothing half done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.store.errors import StoreMisconfigured
from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.access.audit_log import Act
from service.access.game_access import GamePolicy
from service.access.store import AuditLog
from service.backup.backing_up import BackingUp
from service.backup.files import MANIFEST, BackupUnusable
from service.backup.restored import verify_restored
from service.backup.restoring import Restoring
from service.backup.store import LEFT_OUT, EmptyStore
from service.platform.targets import Target, open_target
from service.verification.signing_keys import SigningKeys
from service.verification.transparency_log import TransparencyLog
from tests.support.archiving import NOW, Installation, settings_in
from tests.support.s3_server import BUCKET, RunningS3
from tests.support.servers import RunningStore


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
    """Those that a backup must bring back: all but what is computed again, and what expires soon."""
    verdicts = (":validations-1:valid", ":validations-1:invalid", ":validations-1:listed")
    passing = (":future:passing", "{processes}:projector", "{processes}:batch:", "{operator}:act:")
    again = (
        ":projection:games-2",
        ":projection:bots-1:",
        ":projection:clocks-1:",
        *verdicts,
        *passing,
        "rq:",
    )
    return {name: value for name, value in found.items() if not any(each in name.decode() for each in again)}


def filled(installation: Installation, tmp_path: Path) -> SigningKeys:
    """Give an installation an archived, a finished, a running and an open game, a tournament, and all keys."""
    keys = SigningKeys(tmp_path / "data", "fieldbook.test/backup")
    installation.archived(1)
    finished = installation.finished(2)
    table = finished.recorded.head
    TransparencyLog(installation.store, keys).log(table)
    hidden = installation.api.stored(4, policy=GamePolicy(visibility="private"))
    TransparencyLog(installation.store, keys).log(hidden.recorded.head)
    installation.api.call("POST", f"/v1/games/{hidden.id}/spectators", {}, token=hidden.tokens[0])
    AuditLog(installation.store).record(Act(at=1, who="key_0", what="key_created", about="key_1"))
    installation.api.stored(3, stop_at=80)
    installation.api.create([{"name": "Ada"}, None, None])
    tournament = {"name": "Autumn", "system": "classic", "rounds": 1}
    assert (
        installation.api.call("POST", "/v1/tournaments", tournament, token=installation.api.key).status == 201
    )
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
    manifest = BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)

    connection = RedisConnection(elsewhere.url)
    restored, found = Restoring(place, EmptyStore(connection), tmp_path / "new").run()
    store = RedisEventStore(connection, archived=in_folder.files)
    assert restored == manifest
    assert found == verify_restored(store, SigningKeys(tmp_path / "new"), manifest)

    assert (found.games, found.archived) == (5, 1)
    before = kept(contents(in_folder.store))
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
        "tournaments",
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
    BackingUp(in_folder.store, settings_in(tmp_path / "data"), open_target(str(folder))).run(NOW)
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
        Restoring(open_target(str(folder)), EmptyStore(connection), tmp_path / "new").run()

    assert connection.command("DBSIZE") == 0
    assert not (tmp_path / "new").exists()
    connection.close()


def test_nothing_is_restored_over_something(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore
) -> None:
    """Neither over a store that holds something, nor over a data folder with keys; nor is a backup overwritten."""
    filled(in_folder, tmp_path)
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)

    with pytest.raises(BackupUnusable, match="store is not empty"):
        Restoring(place, EmptyStore(in_folder.store.connection), tmp_path / "new").run()
    connection = RedisConnection(elsewhere.url)
    with pytest.raises(BackupUnusable, match="empty data folder"):
        Restoring(place, EmptyStore(connection), tmp_path / "data").run()
    with pytest.raises(BackupUnusable, match="not empty"):
        BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)
    assert connection.command("DBSIZE") == 0
    connection.close()


def test_a_restore_that_was_not_finished_is_not_played_on(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore
) -> None:
    """Stopped in the middle: no process works with the store, and the error says what to do."""
    filled(in_folder, tmp_path)
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)
    connection = RedisConnection(elsewhere.url)
    blocked = tmp_path / "a file"
    blocked.write_bytes(b"")

    with pytest.raises(OSError, match="a file"):
        Restoring(place, EmptyStore(connection), blocked).run()
    with pytest.raises(StoreMisconfigured, match="not finished"):
        RedisEventStore.connect(elsewhere.url)
    connection.close()


@pytest.mark.parametrize("damage", ["a stream cut short", "a changed entry", "gone", "without its secret"])
def test_a_damaged_game_hinders_no_backup(
    in_folder: Installation, tmp_path: Path, elsewhere: RunningStore, damage: str
) -> None:
    """It is named and copied as it is; the restore is verified all the same, and has the same damage."""
    filled(in_folder, tmp_path)
    game = in_folder.finished(5)
    tag = f"{{p{in_folder.store.partition_of(game.id):02}}}:game:{game.id}"
    command = in_folder.store.connection.command
    entries = command("XRANGE", f"{tag}:log", "-", "+")
    match damage:
        case "a stream cut short":
            command("XDEL", f"{tag}:log", entries[-1][0])
        case "a changed entry":
            command("DEL", f"{tag}:log")
            for number, (place, fields) in enumerate(entries):
                changed = [*fields[:5], b"{}", *fields[6:]] if number == 40 else fields
                command("XADD", f"{tag}:log", place, *changed)
        case "gone":
            command("DEL", *(f"{tag}:{part}" for part in ("log", "head", "commands", "private")))
        case _:
            command("HDEL", f"{tag}:private", "secret")
    place = open_target(str(tmp_path / "backup"))

    manifest = BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)

    # Without its secret nobody can compute the chain, so nothing can be said against the game either.
    assert set(manifest.damaged) == (set() if damage == "without its secret" else {game.id})
    connection = RedisConnection(elsewhere.url)
    _, found = Restoring(place, EmptyStore(connection), tmp_path / "new").run()
    assert found.games == 6 - len(manifest.damaged)
    store = RedisEventStore(connection)
    before = kept(contents(in_folder.store))
    assert contents(store) == before
    store.close()
