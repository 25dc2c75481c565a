"""Annotations of a game outlive its archiving, and stand in backups, with what was answered to each request."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.backup.backing_up import BackingUp
from service.backup.restoring import Restoring
from service.backup.store import EmptyStore
from service.platform.targets import open_target
from tests.service.http.resources.test_annotations import comments, path_of, wrote
from tests.service.in_process import InProcess
from tests.support.archiving import NOW, Installation, settings_in
from tests.support.servers import RunningStore


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[RunningStore]:
    """Run a second server, which is empty."""
    with RunningStore(tmp_path / "elsewhere") as running:
        yield running


def test_an_archived_game_is_annotated_like_any_other(in_folder: Installation) -> None:
    """Before and after, and when it was put back."""
    api, game = in_folder.api, in_folder.finished(1)
    ann = game.tokens[0]
    name = wrote(api, game, ann, version=7, comment="before")["set"]
    in_folder.archiving.archive(game.id, NOW)
    in_folder.forget()
    assert not in_folder.stream_is_there(game.id)

    wrote(in_folder.api, game, ann, set=name, version=8, comment="archived")
    wrote(in_folder.api, game, ann, set=name, kind="publication")
    assert comments(in_folder.api, game, None) == ["before", "archived"]
    answer = in_folder.api.call("GET", f"/v1/games/{game.id}/record?annotations=true")
    assert b'"annotations":' in answer.body.partition(b"\n")[0]
    in_folder.archiving.restore(game.id, NOW)
    wrote(in_folder.api, game, ann, set=name, version=9, comment="put back")
    assert comments(in_folder.api, game, ann) == ["before", "archived", "put back"]


def test_a_backup_brings_them_back_with_what_was_answered(
    in_folder: Installation, elsewhere: RunningStore, tmp_path: Path
) -> None:
    """Drafts too; the set goes on where it was, and a request sent again is still known."""
    game = in_folder.finished(1)
    ann = game.tokens[0]
    body = {"kind": "note", "version": 7, "comment": "before"}
    again = {"Idempotency-Key": "once-and-for-all"}
    first = in_folder.api.call("POST", path_of(game), body, token=ann, headers=again)
    in_folder.archiving.archive(game.id, NOW)
    in_folder.signing_keys_in(tmp_path / "data")
    place = open_target(str(tmp_path / "backup"))
    BackingUp(in_folder.store, settings_in(tmp_path / "data"), place).run(NOW)

    connection = RedisConnection(elsewhere.url)
    Restoring(place, EmptyStore(connection), tmp_path / "new").run()

    store = RedisEventStore(connection, archived=in_folder.files)
    api = InProcess(store)
    second = api.call("POST", path_of(game), body, token=ann, headers=again)
    assert second.body == first.body
    assert wrote(api, game, ann, set=first.json["set"], version=8, comment="after")["number"] == 2
    assert comments(api, game, ann) == ["before", "after"]
    api.close()
    store.close()
