"""Archiving: what is moved, when, and that an archived game reads as before."""

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events.redis_archiving import NotAsArchived
from events.redis_connection import Argument, RedisConnection
from events.redis_store import RedisEventStore
from events.store import Appended
from events.store_errors import CommandIdReused, VersionConflict
from replay.sources import record_lines
from replay.verify import verify_lines
from service.archiving import Archiving, NotArchived
from service.jobs import validation_report
from service.validations import Validations
from tests.archive.conftest import NOW, Installation, file_of
from tests.service.in_process import NAMES, InProcess
from tests.service.test_own_catalogues import TINY
from tests.support.http_play import Party
from tests.support.lossy_proxy import LossyProxy

HOUR = 3600


def everything(installation: Installation, game: str, token: str) -> list[Any]:
    """All that the API tells about a finished game, in several scopes and at several versions."""
    version = installation.api.get(f"/v1/games/{game}")["version"]
    paths = [
        f"/v1/games/{game}",
        f"/v1/games/{game}?at=1",
        f"/v1/games/{game}?at=100&as=seat:2",
        f"/v1/games/{game}?as=all",
        f"/v1/games/{game}/events?limit=1000",
        f"/v1/games/{game}/events?after=200&limit=7&as=all",
        f"/v1/games/{game}/events?after={version}&wait=20",
        f"/v1/games/{game}/receipt?version=50",
        f"/v1/games/{game}/catalogue",
        f"/v1/games/{game}/validations",
        f"/v1/games/{game}/record",
        f"/v1/games/{game}/record?as=seat:1",
        f"/v1/games/{game}/proof",
        f"/v1/games/{game}/receipt",
        f"/v1/games/{game}/commands",
        "/v1/games?validation=valid",
    ]
    found: list[Any] = []
    for path in paths:
        answer = installation.api.call("GET", path, token=token)
        found.append((path, answer.status, answer.body))
    for headers in (
        {"Accept": "text/event-stream"},
        {"Accept": "text/event-stream", "Last-Event-ID": "100"},
        {"Accept": "application/x-ndjson"},
    ):
        answer = installation.api.call("GET", f"/v1/games/{game}/events", headers=headers)
        found.append((headers["Accept"], answer.status, answer.body))
    return found


def test_an_archived_game_reads_as_before(installation: Installation) -> None:
    """Every answer is the same, byte for byte, whoever asks; only the stream is gone from the store."""
    game = installation.finished()
    before = everything(installation, game.id, game.tokens[1])
    log = installation.store.read(game.id)

    outcome = installation.archiving.archive(game.id, NOW)
    installation.forget()

    assert not installation.stream_is_there(game.id)
    assert (outcome.what, outcome.events) == ("archived", len(log))
    assert installation.store.read(game.id) == log == game.recorded.log
    assert installation.store.read(game.id, 10, 3) == log[10:13]
    assert installation.store.read(game.id, len(log)) == installation.store.read(game.id, 0, 0) == ()
    assert [status for _, status, _ in before] == [200] * len(before)
    assert everything(installation, game.id, game.tokens[1]) == before


def test_the_file_is_a_record_that_convinces_by_itself(in_folder: Installation) -> None:
    """What lies in the archive verifies with the tools for every record, straight from the file."""
    game = in_folder.archived()
    tombstone = in_folder.store.archiving.tombstone(game.id)
    assert tombstone is not None

    path = Path(in_folder.target.address.removeprefix("file://")) / tombstone.file
    with record_lines(str(path)) as lines:
        report = verify_lines(lines)

    assert (report.ok, report.scope, report.head) == (True, "all", game.recorded.table.hash)
    assert path.stat().st_size == tombstone.size < sum(map(len, game.recorded.record())) / 2.5


def test_only_games_that_are_old_enough_are_due(in_folder: Installation) -> None:
    """The age counts from the last event, to the millisecond."""
    game = in_folder.finished()
    ended = game.recorded.log[-1].at

    def due(now: int) -> list[str]:
        return [each.game for each in in_folder.archiving.due(now, HOUR)]

    assert due(ended + HOUR * 1000 - 1) == []
    assert due(ended + HOUR * 1000) == [game.id]
    in_folder.archiving.archive(game.id, NOW)
    assert due(NOW) == []


def test_a_running_game_and_one_without_a_verdict_stay(in_folder: Installation) -> None:
    """Neither is due, and asked for by name both are refused with everything left as it was."""
    running = in_folder.api.stored(2, stop_at=60)
    pending = in_folder.api.stored(3)
    in_folder.project()

    assert list(in_folder.archiving.due(NOW, 0)) == []
    for game in (running, pending):
        with pytest.raises(NotArchived, match="found valid"):
            in_folder.archiving.archive(game.id, NOW)
        assert in_folder.stream_is_there(game.id)
    assert in_folder.target.names() == {}


def test_a_game_found_invalid_stays(in_folder: Installation) -> None:
    """What was tampered with is kept for whoever looks into it."""
    game = in_folder.finished()
    report = Validations(in_folder.store).reports(game.id)[0]
    Validations(in_folder.store).add(game.id, {**report, "ok": False})

    assert list(in_folder.archiving.due(NOW, 0)) == []
    with pytest.raises(NotArchived, match="found valid"):
        in_folder.archiving.archive(game.id, NOW)
    assert in_folder.stream_is_there(game.id)


def test_a_verdict_on_another_log_does_not_count(in_folder: Installation) -> None:
    """The report must be about the very head that the store has."""
    game = in_folder.finished()
    report = Validations(in_folder.store).reports(game.id)[0]
    Validations(in_folder.store).add(game.id, {**report, "head": "0" * 64})

    with pytest.raises(NotArchived, match="found valid"):
        in_folder.archiving.archive(game.id, NOW)


def test_a_command_to_an_archived_game_is_refused_as_before(in_folder: Installation) -> None:
    """The same problem as for any finished game."""
    game = in_folder.finished()
    path, command = f"/v1/games/{game.id}/commands", {"type": "say", "text": "late"}
    before = in_folder.api.call("POST", path, command, token=game.tokens[0])
    in_folder.archiving.archive(game.id, NOW)
    in_folder.forget()

    after = in_folder.api.call("POST", path, command, token=game.tokens[0])

    assert (after.status, after.body) == (before.status, before.body)
    assert after.status == 422
    assert not in_folder.stream_is_there(game.id)


def test_a_repeated_command_gets_its_first_answer(in_folder: Installation) -> None:
    """Command ids are remembered for ever, and another request under the same id is refused for ever."""
    game = in_folder.archived()

    def append(fingerprint: str) -> Appended:
        return in_folder.store.append(
            game.id,
            game.recorded.log,
            expected_version=0,
            command_id="test",
            fingerprint=fingerprint,
        )

    answer = append("test")
    assert (answer.first_version, answer.last_version, answer.duplicate) == (1, len(game.recorded.log), True)
    with pytest.raises(CommandIdReused):
        append("another")
    known = in_folder.store.known_command(game.id, "test")
    assert known is not None
    assert known.fingerprint == "test"
    assert in_folder.store.known_command(game.id, "never sent") is None


def test_the_id_of_an_archived_game_is_never_free_again(in_folder: Installation) -> None:
    """A game cannot be set up under it, and nothing is appended; what was missed is told from the archive."""
    game = in_folder.archived()
    first = game.recorded.log[:1]

    with pytest.raises(VersionConflict) as conflict:
        in_folder.store.append(game.id, first, expected_version=0, command_id="new", fingerprint="new")

    assert conflict.value.missed == game.recorded.log
    assert conflict.value.actual == len(game.recorded.log)
    assert in_folder.store.read(game.id) == game.recorded.log


def test_the_feed_stays(in_folder: Installation) -> None:
    """Feeds are never trimmed: a projection that is built anew reads archived games through the archive."""
    game = in_folder.archived()
    partition = in_folder.store.partition_of(game.id)
    assert [entry.game_id for entry in in_folder.store.read_feed(partition)] == [game.id]
    before = in_folder.api.get("/v1/games")

    command = in_folder.store.connection.command
    for part in ("checkpoint", "games", "created", "finished"):
        command("DEL", f"{{p{partition:02}}}:projection:games-1:{part}")
    in_folder.project()

    assert in_folder.api.get("/v1/games") == before
    assert not in_folder.stream_is_there(game.id)


def test_a_restored_game_is_as_it_was(installation: Installation) -> None:
    """Stream, head and commands are back, and the game can be archived again."""
    game = installation.finished()
    commands = installation.store.archiving.commands(game.id)
    tag = f"{{p{installation.store.partition_of(game.id):02}}}:game:{game.id}"
    stored = installation.store.connection.command("XRANGE", f"{tag}:log", "-", "+")
    installation.archiving.archive(game.id, NOW)

    assert installation.archiving.restore(game.id, NOW).what == "restored"

    assert installation.store.connection.command("XRANGE", f"{tag}:log", "-", "+") == stored
    assert installation.store.archiving.tombstone(game.id) is None
    assert installation.store.archiving.commands(game.id) == commands
    assert installation.store.known_command(game.id, "test") is not None
    with pytest.raises(NotArchived, match="not archived"):
        installation.archiving.restore(game.id, NOW)
    assert installation.archiving.archive(game.id, NOW).what == "archived"


def test_archiving_twice_is_archiving_once(in_folder: Installation) -> None:
    """A second run, or a second process, leaves what the first has done."""
    game = in_folder.finished()
    first, second = (in_folder.archiving.steps(game.id, NOW + number) for number in range(2))
    assert [next(first), next(second), next(first), next(second)] == ["read", "read", "written", "written"]
    assert [*first] == [*second] == ["verified", "archived"]

    assert in_folder.archiving.archive(game.id, NOW + 9).what == "archived"
    assert len(in_folder.target.names()) == 1
    assert in_folder.store.read(game.id) == game.recorded.log


def test_the_store_compares_before_it_deletes(in_folder: Installation) -> None:
    """A tombstone for another head, or with commands missing, is refused by the store's own function."""
    game, other = in_folder.finished(1), in_folder.archived(2)
    archiving, table = in_folder.store.archiving, game.recorded.table
    found = archiving.tombstone(other.id)
    assert found is not None
    right = replace(found, game=game.id, version=table.version, hash=table.hash)

    for wrong in (replace(right, version=table.version - 1), replace(right, hash="0" * 64)):
        with pytest.raises(NotAsArchived, match="the game is at version"):
            archiving.archive(wrong, archiving.commands(game.id))
    with pytest.raises(NotAsArchived, match="has 1 commands"):
        archiving.archive(right, [])

    assert in_folder.store.read(game.id) == game.recorded.log


def test_a_game_with_a_catalogue_of_the_operators_own_is_archived_with_it(in_folder: Installation) -> None:
    """The file verifies by itself, and the game reads as before where nobody has that catalogue any more."""
    own = InProcess(in_folder.store, own=[TINY])
    made = own.create([{"name": name} for name in NAMES[:3]], catalogue="tiny")
    tokens = [seat["token"] for seat in made["seats"]]
    assert Party(own, made["game"], tokens, random.Random(1)).play()
    own.close()
    game = made["game"]
    in_folder.project()
    Validations(in_folder.store).add(game, validation_report(in_folder.store, game, NOW))
    before = everything(in_folder, game, tokens[1])
    log = in_folder.store.read(game)

    assert in_folder.archiving.archive(game, NOW).what == "archived"
    in_folder.forget()

    assert everything(in_folder, game, tokens[1]) == before
    assert [each.what for each in in_folder.verified()] == ["verified"]
    with record_lines(str(file_of(in_folder, game))) as lines:
        report = verify_lines(lines)
    assert (report.ok, report.head) == (True, log[-1].hash)
    in_folder.archiving.restore(game, NOW)
    in_folder.forget()
    assert in_folder.store.read(game) == log
    assert everything(in_folder, game, tokens[1]) == before


def test_a_stream_goes_on_while_its_game_is_archived(in_folder: Installation) -> None:
    """Who reads page by page, or follows a game, does not notice that it moves in between."""
    game = in_folder.finished()
    path = f"/v1/games/{game.id}/events?limit=50&after="
    read = in_folder.api.get(f"{path}0")["events"]

    in_folder.archiving.archive(game.id, NOW)

    while len(read) < len(game.recorded.log):
        read += in_folder.api.get(f"{path}{len(read)}")["events"]
    assert [each["hash"] for each in read] == [entry.hash for entry in game.recorded.log]


def test_a_game_that_was_put_back_is_left_alone_for_as_long_again(in_folder: Installation) -> None:
    """Whoever puts a game back has a reason: the scheduled run does not move it away within the hour."""
    game = in_folder.archived()
    in_folder.archiving.restore(game.id, NOW)

    assert list(in_folder.archiving.due(NOW + HOUR * 1000 - 1, HOUR)) == []
    assert [each.game for each in in_folder.archiving.due(NOW + HOUR * 1000, HOUR)] == [game.id]
    in_folder.archiving.archive(game.id, NOW)
    assert in_folder.store.archiving.restored_at(game.id) == 0


@pytest.mark.parametrize("function", ["archive", "restore"])
def test_a_lost_reply_of_the_store_changes_nothing(in_folder: Installation, function: str) -> None:
    """The step was made, its answer was lost and it is asked for again: that is no error, and it is made once."""
    game = in_folder.finished() if function == "archive" else in_folder.archived()
    with LossyProxy(in_folder.url) as proxy:
        through = RedisEventStore(Losing(proxy, function), archived=in_folder.files)
        archiving = Archiving(through, in_folder.target)
        outcome = (
            archiving.archive(game.id, NOW) if function == "archive" else archiving.restore(game.id, NOW)
        )
        assert proxy.lost == 1
        through.close()

    assert outcome.what == {"archive": "archived", "restore": "restored"}[function]
    in_folder.forget()
    assert in_folder.store.read(game.id) == game.recorded.log
    assert in_folder.stream_is_there(game.id) == (function == "restore")
    assert in_folder.store.known_command(game.id, "test") is not None


class Losing(RedisConnection):
    """A connection through a proxy that loses the first reply of one of the store's functions."""

    def __init__(self, proxy: LossyProxy, function: str) -> None:
        """Lose the reply of the function with this name."""
        self._proxy, self._function = proxy, function
        super().__init__(proxy.url)

    def command(self, *arguments: Argument) -> Any:
        """Send a command, whose reply may get lost."""
        if arguments[0] == "FCALL" and str(arguments[1]).endswith(self._function) and not self._proxy.lost:
            self._proxy.lose_next_reply()
        return super().command(*arguments)
