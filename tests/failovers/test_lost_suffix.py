"""At level `fsync` a failover to a replica that was behind loses what the replica did not have, and that shows.

Levels are promises about one machine; only `replicated` waits for the replica. See docs/operating.md.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from events.store_errors import VersionConflict
from service.durability import Durability
from tests.failovers.games import Insistent
from tests.failovers.witnessed_store import WitnessedStore
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Party
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import running_pair
from events.redis_opening import connected
from service.bot_players import BotPlayers
from threading import Event, Thread


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
        party = Party(Insistent(api), made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
        party.play(20)
        kept = api.get(f"/v1/games/{party.game}")["version"]
        first.connection.command("WAIT", 1, 5000)
        second.pause()
        party.play(10)
        seen = api.call("GET", f"/v1/games/{party.game}")

        first.kill()
        second.resume()
        second.connection.command("REPLICAOF", "NO", "ONE")
        address.lead_to(second.url)
        yield Failed(store, api, party, kept, seen.json, seen.headers["etag"])
        api.close()
        store.close()


def test_x(failed: Failed) -> None:
    print(failed.kept, failed.seen["version"], failed.etag)
    print("lost", len(failed.store.lost()), failed.store.head(failed.party.game))
    g=failed.party.game
    a=failed.api.call("GET", f"/v1/games/{g}", headers={"If-None-Match": failed.etag}); print(a.status, a.headers)
    a=failed.api.call("GET", f"/v1/games/{g}/events?after={failed.seen['version']}"); print(a.status, a.body[:300])
    a=failed.api.call("GET", f"/v1/games/{g}/state?version={failed.seen['version']}"); print(a.status, a.body[:300])
    a=failed.party.legal(0)
    seat=a["waiting_for"][0]
    cmds=failed.party.legal(seat)["commands"]
    a=failed.api.call("POST", f"/v1/games/{g}/commands", {"type":"say","text":"x"}, token=failed.party.tokens[0], headers={"If-Match": failed.etag, "Idempotency-Key":"k"}); print(a.status, a.body[:600])
    try:
        failed.store.append(g, failed.store.read(g)[-1:], expected_version=failed.seen["version"], command_id="n", fingerprint="f")
    except Exception as e: print(repr(e), e)
    assert 0
