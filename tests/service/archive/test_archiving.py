"""Archiving: what is moved, when, and what becomes of commands to a game that was."""

import pytest
from msgspec.structs import replace

from events.store.errors import CommandIdReused, NotAsArchived, VersionConflict
from events.store.event_store import MOST_MISSED, Appended
from replay.verification.verify import verify_lines
from service.archive.archiving import NotArchived
from service.http.context.services import EXTENSION, Services
from service.jobs.jobs import validation_report
from service.verification.store import Validations
from tests.support.archiving import NOW, Installation
from tests.support.rounds import closed_table

HOUR = 3600


def test_only_games_that_are_old_enough_are_due(in_folder: Installation) -> None:
    """The age counts from the last event, to the millisecond."""
    game = in_folder.finished()
    ended = game.recorded.log[-1].at

    def due(now: int) -> list[str]:
        return in_folder.due(now, HOUR)

    assert due(ended + HOUR * 1000 - 1) == []
    assert due(ended + HOUR * 1000) == [game.id]
    in_folder.archiving.archive(game.id, NOW)
    assert due(NOW) == []


def test_a_running_game_and_one_without_a_verdict_stay(in_folder: Installation) -> None:
    """Neither is due, and asked for by name both are refused with everything left as it was."""
    running = in_folder.api.stored(2, stop_at=60)
    pending = in_folder.api.stored(3)
    in_folder.project()

    assert in_folder.due(NOW, 0) == []
    for game in (running, pending):
        with pytest.raises(NotArchived, match="found valid"):
            in_folder.archiving.archive(game.id, NOW)
        assert in_folder.stream_is_there(game.id)
    assert in_folder.target.names() == {}


def test_a_game_of_a_round_stays_until_its_secret_is_open(in_folder: Installation) -> None:
    """Then it is moved as any other, and read behind its tombstone with the salts that are bound to it."""
    closed = in_folder.api.keep(closed_table("table-1", 1))
    in_folder.project()
    with pytest.raises(NotArchived, match="found valid"):
        in_folder.archiving.archive(closed.id, NOW)
    assert in_folder.due(NOW, 0) == []

    services: Services = in_folder.api.app.extensions[EXTENSION]
    assert services.handling.open_round_secret(closed.id, closed.recorded.log[-1].at + 1)
    in_folder.project()
    Validations(in_folder.store).add(closed.id, validation_report(in_folder.store, closed.id, NOW))
    in_folder.archiving.archive(closed.id, NOW)
    in_folder.forget()

    assert [outcome.what for outcome in in_folder.verified()] == ["verified"]
    record = in_folder.api.call("GET", f"/v1/games/{closed.id}/record")
    assert verify_lines(record.body.splitlines(keepends=True)).ok


def test_a_game_found_invalid_stays(in_folder: Installation) -> None:
    """What was tampered with is kept for whoever looks into it."""
    game = in_folder.finished()
    report = Validations(in_folder.store).reports(game.id)[0]
    Validations(in_folder.store).add(game.id, {**report, "ok": False})

    assert in_folder.due(NOW, 0) == []
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
    known = in_folder.store.idempotency_record(game.id, "test")
    assert known is not None
    assert known.fingerprint == "test"
    assert in_folder.store.idempotency_record(game.id, "never sent") is None


def test_the_id_of_an_archived_game_is_never_free_again(in_folder: Installation) -> None:
    """A game cannot be set up under it, and nothing is appended; what was missed is told from the archive."""
    game = in_folder.archived()
    first = game.recorded.log[:1]

    with pytest.raises(VersionConflict) as conflict:
        in_folder.store.append(game.id, first, expected_version=0, command_id="new", fingerprint="new")

    assert conflict.value.missed == game.recorded.log[:MOST_MISSED]
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
