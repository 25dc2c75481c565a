"""The cases of a game outlive its archiving, and stand in backups, with what was answered to each request."""

from pathlib import Path

import pytest

from events.disputes import commands as c
from events.disputes.errors import DisputeRefused
from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.backup.backing_up import BackingUp
from service.backup.restoring import Restoring
from service.backup.store import EmptyStore
from service.disputes.queue import DisputeQueue, Wanted
from service.platform.targets import open_target
from tests.service.disputes.disputing import ADA, ANN, BEN, DISMISSAL, Chamber
from tests.support.archiving import NOW, Installation, settings_in
from tests.support.servers import RunningStore


def test_a_case_about_an_archived_game_goes_on(in_folder: Installation) -> None:
    """Evidence, claim and ruling; only a new case comes too late."""
    game = in_folder.finished(1)
    chamber = Chamber(in_folder.store, game.id)
    chamber.at = game.recorded.log[-1].at
    chamber.opened()
    in_folder.archiving.archive(game.id, NOW)
    in_folder.forget()
    assert not in_folder.stream_is_there(game.id)

    late = Chamber(in_folder.store, game.id)
    late.at = chamber.at
    late.do(c.AddEvidence("Look.", (17,)), BEN)
    late.do(c.Claim(), ADA)
    late.do(DISMISSAL, ADA)
    with pytest.raises(DisputeRefused) as refused:
        late.opened(version=111)
    assert refused.value.code == "too_late"
    in_folder.archiving.restore(game.id, NOW)
    assert Chamber(in_folder.store, game.id).types == [
        "dispute_opened",
        "evidence_added",
        "dispute_claimed",
        "ruling_given",
    ]


def test_a_backup_brings_them_back_with_what_was_answered(in_folder: Installation, tmp_path: Path) -> None:
    """The queue too, which is no part of it; and a request sent again is still known."""
    game = in_folder.finished(1)
    chamber = Chamber(in_folder.store, game.id)
    chamber.at = game.recorded.log[-1].at
    opening = c.OpenDispute("clock", "It hung.", 110)
    first, _ = chamber.do(opening, ANN, 0, "once-and-for-all")
    chamber.do(c.Claim(), ADA)
    queued = DisputeQueue(in_folder.store).page(Wanted(), 9)
    in_folder.archiving.archive(game.id, NOW)
    in_folder.signing_keys_in(tmp_path / "data")
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)

    with RunningStore(tmp_path / "elsewhere") as elsewhere:
        connection = RedisConnection(elsewhere.url)
        Restoring(place, EmptyStore(connection), tmp_path / "new").run()
        store = RedisEventStore(connection, archived=in_folder.files)
        assert DisputeQueue(store).page(Wanted(), 9) == queued
        again = Chamber(store, game.id)
        again.at = chamber.at
        assert again.do(opening, ANN, 0, "once-and-for-all") == (first, True)
        assert again.do(DISMISSAL, ADA)[0].status == "ruled"
        store.close()
