"""`fieldbook archive` and the scheduled job, as real processes of a whole service."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.command_line import main
from tests.support.http_play import await_verdict, events_of
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import eventually

BOTS = [{"name": f"Bot {seat}", "kind": "bot", "bot": "random"} for seat in range(3)]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with an archive, not yet started."""
    with Service(tmp_path) as service:
        (tmp_path / "an archive").mkdir()
        service.environment["FIELDBOOK_ARCHIVE"] = f"file://{tmp_path / 'an archive'}"
        yield service


def fieldbook(service: Service, *arguments: str) -> Result:
    """Run `fieldbook` on the service's settings, and on no others."""
    others = dict.fromkeys(os.environ)
    environment = {**others, **service.environment, "COLUMNS": "200"}
    return CliRunner(env=environment).invoke(main, arguments, catch_exceptions=False)


def finished_game(service: Service) -> str:
    """A game that bots have played to its end, and that was found valid."""
    body = {"system": "classic", "seats": BOTS}
    game: str = service.api.call("POST", "/v1/games", body, token=service.key()).json["game"]
    eventually(lambda: service.api.call("GET", f"/v1/games/{game}").json["status"] == "finished", seconds=90)
    assert await_verdict(service.api, game) == "valid"
    return game


def is_archived(service: Service, game: str) -> bool:
    """Whether the store has a tombstone of the game."""
    store = service.open_store()
    try:
        return store.archiving.tombstone(game) is not None
    finally:
        store.close()


def test_a_game_is_archived_listed_verified_and_restored_by_command(service: Service) -> None:
    """Each command says what it did, and its exit status says whether all went well."""
    service.start(*EVERYTHING)
    service.await_ready()
    game = finished_game(service)
    before = events_of(service.api, game)

    nothing = fieldbook(service, "archive")
    assert (nothing.exit_code, nothing.stdout.strip()) == (0, "0 games, 0 failed"), nothing.stderr
    listed = fieldbook(service, "archive", "--older-than", "0s", "--dry-run")
    assert listed.exit_code == 0
    assert game in listed.stdout
    assert not is_archived(service, game)

    done = fieldbook(service, "archive", "--older-than", "0s")
    assert done.exit_code == 0, done.stderr
    assert "archived" in done.stdout
    assert is_archived(service, game)
    assert events_of(service.api, game) == before
    assert fieldbook(service, "archive", "verify").exit_code == 0

    (path,) = (service.folder / "an archive" / "games").iterdir()
    content = path.read_bytes()
    path.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
    damaged = fieldbook(service, "archive", "verify")
    assert damaged.exit_code == 1
    assert "is not the one that" in " ".join(damaged.stdout.split())
    assert fieldbook(service, "archive", "restore", game).exit_code == 1
    assert is_archived(service, game)

    path.write_bytes(content)
    assert fieldbook(service, "archive", "restore", game).exit_code == 0
    assert not is_archived(service, game)
    assert events_of(service.api, game) == before
    assert fieldbook(service, "archive", "restore", game).exit_code == 1


def test_the_service_archives_by_itself(service: Service) -> None:
    """The projector asks for it, the worker does it, and nobody who reads notices."""
    service.environment["FIELDBOOK_ARCHIVE_AFTER"] = "1s"
    service.start(*EVERYTHING)
    service.await_ready()
    game = finished_game(service)
    before = events_of(service.api, game)

    eventually(lambda: is_archived(service, game), seconds=60)

    service.kill("web")
    service.start("web")
    service.await_ready()
    assert events_of(service.api, game) == before


def test_wrong_use_is_told_apart(service: Service, tmp_path: Path) -> None:
    """Exit status 2: an age that is none, options that are no JSON, no archive, no store."""
    for changes, arguments, said in (
        ({}, ["archive", "--older-than", "soon"], "no age"),
        ({"FIELDBOOK_ARCHIVE_OPTIONS": "{"}, ["archive"], "no JSON object"),
        ({"FIELDBOOK_ARCHIVE_AFTER": "later"}, ["archive"], "FIELDBOOK_ARCHIVE_AFTER"),
        ({"FIELDBOOK_ARCHIVE": "nowhere://here"}, ["archive"], "FIELDBOOK_ARCHIVE"),
        ({"FIELDBOOK_ARCHIVE": ""}, ["archive", "verify"], "set FIELDBOOK_ARCHIVE"),
        ({}, ["archive"], "No store has been started"),
    ):
        before = dict(service.environment)
        service.environment.update(changes)
        found = fieldbook(service, *arguments)
        service.environment.clear()
        service.environment.update(before)
        assert found.exit_code == 2, found
        assert said in found.stderr
    assert list((tmp_path / "an archive").iterdir()) == []
