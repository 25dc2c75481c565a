"""A dispute log is read once; afterwards only what follows, however many ask."""

import pytest

from events.chain.canonical import canonical
from events.chain.hash_chain import GENESIS, link
from events.disputes import commands as c
from events.store.errors import StoreDamaged
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.disputes.disputes import Disputes
from service.disputes.store import DisputeRecords
from tests.service.disputes.disputing import ANN, BEN, RUNNING, Chamber
from tests.service.in_process import InProcess


@pytest.fixture
def game(api: InProcess) -> str:
    """A running game of four people."""
    return api.stored(stop_at=RUNNING).id


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of entries of each answer of the store."""
    lengths: list[int] = []
    real = DisputeRecords.entries

    def counting(self: DisputeRecords, game: str, first: int = 1) -> object:
        found = list(real(self, game, first))
        lengths.append(len(found))
        return iter(found)

    monkeypatch.setattr(DisputeRecords, "entries", counting)
    return lengths


def test_only_what_follows_is_read(store: RedisEventStore, game: str, read: list[int]) -> None:
    """With the last entry that is known, by which the rest is known to follow; whoever else has written it."""
    chamber, disputes = Chamber(store, game), Disputes(store)
    chamber.opened()
    for number in range(20):
        chamber.do(c.AddEvidence(f"Look at {number}."), BEN)
    whole = disputes.of(game)
    assert len(whole.entries) == 21
    read.clear()
    assert disputes.of(game) is whole
    assert read == [1]

    chamber.do(c.AddEvidence("And at this."), ANN)
    read.clear()
    grown = disputes.of(game)
    assert read == [2]
    assert grown == Disputes(store).of(game)
    assert (len(grown.entries), grown.cases[0].evidence) == (22, 21)


def test_a_game_without_cases_has_none_until_there_is_one(store: RedisEventStore, game: str) -> None:
    """That it has none is not remembered for longer than it is so."""
    disputes = Disputes(store)
    assert disputes.of(game).entries == ()
    Chamber(store, game).opened()
    assert len(disputes.of(game).cases) == 1


def test_another_log_in_its_place_is_read_anew(store: RedisEventStore, game: str) -> None:
    """A backup was put back: what was read before is no part of it."""
    chamber, disputes = Chamber(store, game), Disputes(store)
    chamber.opened()
    chamber.do(c.AddEvidence("Look."), BEN)
    assert len(disputes.of(game).entries) == 2
    keys = GameKeys(game, store.partitions)
    store.connection.command("DEL", keys.disputes, keys.disputes_index)
    assert disputes.of(game).entries == ()
    Chamber(store, game).opened(BEN, 111)
    assert disputes.of(game).cases[0].version == 111


def test_what_does_not_follow_is_refused_also_behind_what_is_known(store: RedisEventStore, game: str) -> None:
    """The chain is checked over all of it, once."""
    chamber, disputes = Chamber(store, game), Disputes(store)
    chamber.opened()
    written = {**disputes.of(game).entries[0].written, "number": 2}
    fields: list[str | bytes] = ["l", canonical(written), "h", link(GENESIS, written), "k", "", "a", ""]
    store.connection.command("XADD", GameKeys(game, store.partitions).disputes, "2-0", *fields)
    for reader in (disputes, Disputes(store)):
        with pytest.raises(StoreDamaged, match=r"not the one that must follow|does not follow"):
            reader.of(game)
