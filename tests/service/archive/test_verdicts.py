"""What is said of an archived game whose file is damaged or away: its verdict is about the game, and stays."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.jobs import jobs
from service.jobs.dispatching import Dispatcher
from service.storage.queues import beside_queue
from service.verification.audit_run import AGREE, NOT_DONE, AuditRun
from service.verification.auditing import Auditor
from service.verification.finished_games import list_finished_games
from service.verification.store import Receipts, Validations
from service.verification.transparency_log import TransparencyLog
from tests.service.in_process import Stored
from tests.service.in_process_worker import Worker
from tests.support.archiving import Installation, file_of
from tests.support.servers import RunningStore


@pytest.fixture
def worker(
    in_folder: Installation, running_store: RunningStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Installation]:
    """Yield an installation whose jobs run in this process, with the settings of a worker."""
    for name, text in running_store.environment.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("FIELDBOOK_ARCHIVE", in_folder.target.address)
    monkeypatch.setenv("FIELDBOOK_ARCHIVE_AFTER", "0s")
    monkeypatch.setenv("REDIS_URL", running_store.url)
    monkeypatch.setenv("FIELDBOOK_DATA", str(tmp_path / "data"))
    jobs.forget_connections()
    yield in_folder
    jobs.forget_connections()


def damaged(installation: Installation, game: Stored) -> bytes:
    """Flip a byte of an archived game's file, in a process that has not read it; returns what it was."""
    path = file_of(installation, game.id)
    content = path.read_bytes()
    path.write_bytes(content[:300] + bytes([content[300] ^ 1]) + content[301:])
    jobs.forget_connections()
    return content


def test_a_damaged_file_does_not_make_a_valid_game_invalid(
    worker: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    """The job says which file to put back, and leaves the verdict; with the file put back it validates as ever."""
    game = worker.archived()
    before = Validations(worker.store).reports(game.id)
    content = damaged(worker, game)

    jobs.validate_game(game.id)

    assert Validations(worker.store).reports(game.id) == before
    assert before[0]["ok"]
    assert file_of(worker, game.id).name in caplog.text
    assert "Put a copy of that file back" in caplog.text

    file_of(worker, game.id).write_bytes(content)
    jobs.validate_game(game.id)
    (again,) = Validations(worker.store).reports(game.id)
    assert {**again, "at": 0} == {**before[0], "at": 0}


def test_an_archived_game_is_audited_as_before(worker: Installation) -> None:
    """The receipts are about the same head, and the audit of all finished games has it in its list."""
    game = worker.finished()
    assert jobs.audit_game(game.id) == ""
    before = [each.result for each in Receipts(worker.store).of(game.id)]
    worker.archiving.archive(game.id, 1)
    jobs.forget_connections()

    assert list(list_finished_games(worker.store)) == [game.id]
    assert jobs.audit_game(game.id, again=True) == ""
    assert [each.result for each in Receipts(worker.store).of(game.id)] == before
    run = AuditRun(worker.store, [game.id], again=True)
    outcomes = list(run.here(Auditor(worker.store, worker.api.signing_keys)))
    assert [each.outcome for each in outcomes] == [AGREE]


@pytest.mark.parametrize("harm", ["flipped", "away"])
def test_an_audit_of_what_cannot_be_read_is_not_done_and_goes_on(worker: Installation, harm: str) -> None:
    """Damaged or away: the reason stands beside the game, no receipt is made, and the next game is audited."""
    game, other = worker.archived(1), worker.finished(2)
    if harm == "flipped":
        damaged(worker, game)
    else:
        folder = Path(worker.target.address.removeprefix("file://"))
        folder.rename(folder.with_name("unmounted"))
    worker.forget()

    assert sorted(list_finished_games(worker.store)) == sorted([game.id, other.id])
    reason = jobs.audit_game(game.id)
    run = AuditRun(worker.store, [game.id, other.id])
    found = {each.game: each for each in run.here(Auditor(worker.store, worker.api.signing_keys))}

    assert found[game.id].outcome == NOT_DONE
    assert found[game.id].reason == reason
    assert "archive" in reason
    assert found[other.id].outcome == AGREE
    assert Receipts(worker.store).of(game.id) == ()


def test_an_archived_game_stands_in_the_transparency_log_as_before(worker: Installation) -> None:
    """Its entry, its proof and the log's root do not depend on where the game lies."""
    game, other = worker.finished(1), worker.finished(2)
    log = TransparencyLog(worker.store, worker.api.signing_keys)
    for each in (game, other):
        log.log(each.recorded.head)
    before = [worker.api.call("GET", f"/v1/games/{each.id}/proof").body for each in (game, other)]
    worker.archiving.archive(game.id, 1)
    worker.forget()

    jobs.validate_game(game.id)

    assert TransparencyLog(worker.store, worker.api.signing_keys).size() == 2
    assert [worker.api.call("GET", f"/v1/games/{each.id}/proof").body for each in (game, other)] == before


def test_the_scheduled_job_says_what_it_could_not_archive(
    worker: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    """A full or missing archive, and a game that stays: each is named once in the log, and the rest is done."""
    due, invalid = worker.finished(1), worker.finished(2)
    report = Validations(worker.store).reports(invalid.id)[0]
    Validations(worker.store).add(invalid.id, {**report, "ok": False})
    folder = Path(worker.target.address.removeprefix("file://"))
    folder.rename(folder.with_name("unmounted"))

    jobs.archive_games()

    assert f"game {due.id} is not archived: The archive is not there" in caplog.text
    assert f"game {invalid.id} is kept in the store: it was found invalid" in caplog.text
    assert not folder.exists()
    folder.with_name("unmounted").rename(folder)
    jobs.archive_games()
    assert not worker.stream_is_there(due.id)
    assert worker.stream_is_there(invalid.id)


def test_archiving_goes_on_in_small_jobs_until_it_has_looked_at_every_game(
    worker: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ends itself after some seconds, so that validations come in between; no run is begun beside another."""
    monkeypatch.setattr(jobs, "ARCHIVING_PART_SECONDS", 0.0)
    games = [worker.finished(seed) for seed in range(1, 4)]
    client = redis.Redis.from_url(worker.url)
    client.delete(*client.scan_iter("rq:*"))
    dispatcher = Dispatcher(worker.store)
    dispatcher.enqueue_archiving()
    dispatcher.enqueue_archiving()
    waiting, done = beside_queue(client), []
    while waiting.job_ids:
        assert len(waiting) == 1
        Worker([waiting], connection=client, serializer=waiting.serializer).work(
            burst=True, max_jobs=1, logging_level="ERROR"
        )
        done.append(sum(not worker.stream_is_there(game.id) for game in games))
        if waiting.job_ids:
            dispatcher.enqueue_archiving()
    client.close()
    assert done[-1] == 3
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise([0, *done]))
