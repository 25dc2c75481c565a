"""At level `fsync` a failover to a replica that was behind loses what the replica did not have, and that shows.

Levels are promises about one machine; only `replicated` waits for the replica. See docs/operating.md.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.store.errors import VersionConflict
from events.store.redis.client.opening import connect
from replay.verification.verify import verify_lines
from service.storage.feed_watermarks import FeedWatermarks
from service.storage.levels import Durability
from service.storage.partition_watch import PartitionWatch
from tests.failovers.games import Insistent
from tests.failovers.witnessed_store import WitnessedStore
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import await_replica, running_pair
from tests.support.recorded_events import recorded_run

pytestmark = pytest.mark.xdist_group("failovers")


class Failed(NamedTuple):
    """A game after a failover that lost its last commands."""

    store: WitnessedStore
    api: InProcess
    party: Party
    kept: int
    """The version that the replica had."""
    seen: Any
    """The game as its players saw it last before the failover."""
    etag: str
    watch: PartitionWatch
    """What the projector asks, which has seen all of it."""


@pytest.fixture
def failed(tmp_path: Path) -> Iterator[Failed]:
    """Play 20 commands, and 10 more that the replica does not get; then the primary is lost."""
    with running_pair(tmp_path, Durability.FSYNC) as (first, second), LossyProxy(first.url) as address:
        store = WitnessedStore(connect(address.url))
        api = InProcess(store)
        made = api.create([{"name": name} for name in NAMES[:3]])
        party = Party(
            Insistent(api), made["game"], [seat["token"] for seat in made["seats"]], random.Random(1)
        )
        party.play(20)
        kept = api.get(f"/v1/games/{party.game}")["version"]
        await_replica(second)
        # From here on the replica is cut off; it may just as well be promoted at once.
        second.connection.command("REPLICAOF", "NO", "ONE")
        party.play(10)
        seen = api.call("GET", f"/v1/games/{party.game}")
        watch = PartitionWatch(store, FeedWatermarks(tmp_path, store.installation.installation_id))
        assert watch.healthy() == [*range(store.partitions)]
        partition = store.partition_of(party.game)
        watch.seen(partition, store.read_feed(partition))

        first.kill()
        address.target = second.url
        yield Failed(store, api, party, kept, seen.json, seen.headers["etag"], watch)
        api.close()
        store.close()


def say(failed: Failed, **headers: str) -> Answer:
    """A word from the first seat."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path, token = f"/v1/games/{failed.party.game}/commands", failed.party.tokens[0]
    return failed.api.call("POST", path, {"type": "say", "text": "so"}, token=token, headers=named)


def told(failed: Failed) -> list[tuple[int, str]]:
    """What a command, a reader and a stream are told that name the version from before, by status and code."""
    path, cursor = f"/v1/games/{failed.party.game}/events", failed.etag.strip('"')
    stream = {"Accept": "text/event-stream", "Last-Event-ID": cursor}
    answers = (
        say(failed, If_Match=failed.etag),
        failed.api.call("GET", f"{path}?after={cursor}"),
        failed.api.call("GET", path, headers=stream),
    )
    return [(each.status, each.json["code"]) for each in answers]


def test_a_client_that_saw_what_was_lost_is_told(failed: Failed) -> None:
    """Whatever it names from before, an entity tag, an event's id or a version, is refused; nothing is appended."""
    store, game = failed.store, failed.party.game
    lost = store.lost()
    assert [each.answer.last_version > failed.kept for each in lost] == [True] * len(lost)
    assert lost
    head = store.head(game)
    assert head is not None
    assert head.version == failed.kept

    assert told(failed) == [(412, "history_lost"), (409, "history_lost"), (409, "history_lost")]
    with pytest.raises(VersionConflict) as conflict:
        store.append(
            game,
            recorded_run(failed.seen["version"], 1),
            expected_version=failed.seen["version"],
            expected_hash=failed.seen["hash"],
            command_id="as-i-was-saying",
            fingerprint="print",
        )

    assert (conflict.value.actual, conflict.value.missed) == (failed.kept, ())
    assert store.head(game) == head


def test_the_service_says_what_was_lost(failed: Failed) -> None:
    """The projector quarantines the partition, `/readyz` names the game, and commands wait for an operator."""
    store, game = failed.store, failed.party.game
    partition = store.partition_of(game)
    assert failed.api.get("/readyz")["status"] == "ready"

    assert partition not in failed.watch.healthy()

    reason = store.quarantine.reasons()[partition]
    assert "the store has lost" in reason
    assert f"{game} (it was at version {failed.seen['version']})" in reason
    ready = failed.api.get("/readyz")
    assert (ready["status"], ready["quarantined"]) == (
        "degraded",
        [{"partition": partition, "reason": reason}],
    )
    answer = say(failed)
    assert (answer.status, answer.json["code"]) == (503, "partition_quarantined")
    assert told(failed)[1:] == [(409, "history_lost")] * 2


def test_a_history_that_went_on_otherwise_is_another_history(failed: Failed) -> None:
    """Its versions come again with other hashes: an entity tag from before never fits, and the record verifies."""
    game, version = failed.party.game, failed.seen["version"]
    while failed.api.get(f"/v1/games/{game}")["version"] < version:
        failed.party.play(1)
    entry = failed.store.read(game, version - 1, 1)[0]
    assert entry.hash != failed.seen["hash"]

    assert told(failed) == [(412, "history_forked"), (409, "history_forked"), (409, "history_forked")]
    assert failed.store.partition_of(game) not in failed.watch.healthy()
    record = failed.api.call("GET", f"/v1/games/{game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok
