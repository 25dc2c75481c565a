"""An archived game reads as before, whoever asks, and its file convinces by itself."""

import random
from pathlib import Path
from typing import Any

from replay.client.sources import record_lines
from replay.verification.verify import verify_lines
from service.jobs.jobs import validation_report
from service.verification.store import Validations
from tests.service.catalogues.test_own_catalogues import TINY
from tests.service.in_process import NAMES, InProcess
from tests.support.archiving import NOW, Installation, file_of
from tests.support.http_play import Party


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
