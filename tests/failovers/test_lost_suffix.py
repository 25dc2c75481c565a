"""At level `fsync` a failover to a replica that was behind loses what the replica did not have, and that shows.

Levels are promises about one machine; only `replicated` waits for the replica. See docs/operating.md.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.redis_opening import connected
from events.store_errors import VersionConflict
from replay.verify import verify_lines
from service.durability import Durability
from tests.failovers.games import Insistent
from tests.failovers.witnessed_store import WitnessedStore
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Party
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import await_replica, running_pair
from tests.support.recorded_events import recorded_run


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


@pytest.fixture
def failed(tmp_path: Path) -> Iterator[Failed]:
    """Play 20 commands, and 10 more that the replica does not get; then the primary is lost."""
    with running_pair(tmp_path, Durability.FSYNC) as (first, second), LossyProxy(first.url) as address:
        store = WitnessedStore(connected(address.url))
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

        first.kill()
        address.target = second.url
        yield Failed(store, api, party, kept, seen.json, seen.headers["etag"])
        api.close()
        store.close()


def test_a_client_that_saw_what_was_lost_is_told(failed: Failed) -> None:
    """Whatever it names from before, an entity tag, an event's id or a version, is refused; nothing is appended."""
    store, game = failed.store, failed.party.game
    lost = store.lost()
    assert [each.answer.last_version > failed.kept for each in lost] == [True] * len(lost)
    assert lost
    head = store.head(game)
    assert head is not None
    assert head.version == failed.kept

    say = {"type": "say", "text": "as I was saying"}
    refused = [
        failed.api.call(
            "POST",
            f"/v1/games/{game}/commands",
            say,
            token=failed.party.tokens[0],
            headers={"If-Match": failed.etag},
        ),
        failed.api.call("GET", f"/v1/games/{game}/events?after={failed.seen['version']}"),
        failed.api.call(
            "GET",
            f"/v1/games/{game}/events",
            headers={"Accept": "text/event-stream", "Last-Event-ID": str(failed.seen["version"])},
        ),
    ]
    assert [each.status // 100 for each in refused] == [4, 4, 4]
    with pytest.raises(VersionConflict) as conflict:
        store.append(
            game,
            recorded_run(failed.seen["version"], 1),
            expected_version=failed.seen["version"],
            command_id="as-i-was-saying",
            fingerprint="print",
        )

    assert (conflict.value.actual, conflict.value.missed) == (failed.kept, ())
    assert store.head(game) == head


def test_a_history_that_went_on_otherwise_is_another_history(failed: Failed) -> None:
    """Its versions come again with other hashes: an entity tag from before never fits, and the record verifies."""
    game, version = failed.party.game, failed.seen["version"]
    while failed.api.get(f"/v1/games/{game}")["version"] < version:
        failed.party.play(1)
    entry = failed.store.read(game, version - 1, 1)[0]
    assert entry.hash != failed.seen["hash"]

    answer = failed.api.call(
        "POST",
        f"/v1/games/{game}/commands",
        {"type": "say", "text": "as I was saying"},
        token=failed.party.tokens[0],
        headers={"If-Match": failed.etag},
    )

    assert answer.status in {409, 412}
    record = failed.api.call("GET", f"/v1/games/{game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok
