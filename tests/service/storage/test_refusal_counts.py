"""What the HTTP interface refuses is kept by code, for the report of a whole season."""

from contextlib import closing
from pathlib import Path

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.storage.refusal_counts import RefusalCounts, refusals_kept
from tests.support.processes import Service
from tests.support.servers import eventually

PATIENCE_SECONDS = 60.0


def answers(store: RedisEventStore) -> bool:
    """Whether a store is there."""
    try:
        store.ping()
    except StoreUnavailable:
        return False
    return True


def test_refusals_of_several_processes_are_added_up(store: RedisEventStore) -> None:
    """Each hands in what it has counted, once."""
    one, other = (RefusalCounts(store, PATIENCE_SECONDS) for _ in range(2))
    for counts, code in ((one, "not_your_turn"), (one, "not_your_turn"), (other, "not_your_turn")):
        counts.count(code)
    one.count("bad_token")
    for counts in (one, other, one):
        counts.hand_in()
    assert refusals_kept(store) == {"bad_token": 1, "not_your_turn": 3}


@pytest.mark.process
def test_what_the_store_does_not_take_is_handed_in_later(tmp_path: Path) -> None:
    """With what was refused since."""
    with Service(tmp_path) as service:
        service.start("store")
        with closing(service.open_store()) as store:
            counts = RefusalCounts(store, PATIENCE_SECONDS)
            counts.count("bad_token")
            service.stop("store")
            counts.hand_in()
            service.start("store")
            eventually(lambda: answers(store))
            assert refusals_kept(store) == {}
            counts.count("bad_token")
            counts.hand_in()
            assert refusals_kept(store) == {"bad_token": 2}


@pytest.mark.process
def test_what_the_store_did_not_take_is_tried_again_by_itself(tmp_path: Path) -> None:
    """Though nothing is refused any more."""
    with Service(tmp_path) as service:
        service.start("store")
        with closing(service.open_store()) as store:
            service.stop("store")
            counts = RefusalCounts(store, 0.2)
            counts.count("bad_token")
            counts.hand_in()
            service.start("store")
            eventually(lambda: answers(store) and refusals_kept(store) == {"bad_token": 1})


def test_refusals_are_handed_in_by_themselves(store: RedisEventStore) -> None:
    """Nobody has to ask for it."""
    RefusalCounts(store, 0.01).count("bad_token")
    eventually(lambda: refusals_kept(store) == {"bad_token": 1})


@pytest.mark.process
def test_a_service_keeps_what_its_processes_have_refused(tmp_path: Path) -> None:
    """Those for what takes long too; a process that is told to stop hands in what it still has."""
    with Service(tmp_path) as service:
        service.start("store", "web")
        service.await_ready()
        for _ in range(3):
            assert service.api.call("GET", "/v1/games/0000000000").status == 404
        assert service.api.call("GET", "/v1/games/0000000000/record").status == 404
        assert service.stop("web") == 0
        with closing(service.open_store()) as store:
            assert refusals_kept(store) == {"game_not_found": 4}
