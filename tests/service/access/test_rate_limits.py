"""Counting requests: never more than the quota, exactly that for one process, and few questions to the server."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.access.rate_limits import (
    LEASES,
    PAUSE_SECONDS,
    QUOTAS,
    Counts,
    Kind,
    Quota,
    RateLimits,
    configured_quotas,
)
from service.access.store import RequestCounts
from service.platform.configuration import BadSetting

NOON = 1_800_000_000.0
TEN: dict[str, dict[Kind, Quota]] = {
    "commands": {"address": Quota(10, 60), "seat": Quota(10, 60), "key": Quota(10, 60)}
}
HUNDRED: dict[str, dict[Kind, Quota]] = {
    "commands": {"address": Quota(100, 60), "seat": Quota(100, 60), "key": Quota(100, 60)}
}


@dataclass
class Clock:
    """A clock that stands until it is moved."""

    now: float = NOON

    def __call__(self) -> float:
        """The time, in seconds since the epoch."""
        return self.now


@dataclass
class Counted:
    """Counts on a server that counts what it is asked, and may be away."""

    counts: Counts
    asked: list[str] = field(default_factory=list)
    away: bool = False

    def add(self, window: str, number: int, seconds: int) -> int:
        """Ask the server."""
        self.asked.append(window)
        if self.away:
            raise StoreUnavailable("away")
        return self.counts.add(window, number, seconds)


def allowed(limits: RateLimits, times: int, subject: str = "ann") -> int:
    """How many of so many requests are allowed."""
    taken = [limits.take("commands", "seat", subject) for _ in range(times)]
    return sum(each.allowed for each in taken if each is not None)


def test_one_process_allows_exactly_the_quota(store: RedisEventStore) -> None:
    """What is left and when it is renewed is told with every request."""
    limits = RateLimits(RequestCounts(store), TEN, Clock(NOON + 13))
    first = limits.take("commands", "seat", "ann")

    assert first is not None
    assert (first.allowed, first.left, first.seconds) == (True, 9, 47)
    assert allowed(limits, 30) == 9
    last = limits.take("commands", "seat", "ann")
    assert last is not None
    assert (last.allowed, last.left, last.seconds) == (False, 0, 47)


def test_the_next_window_begins_anew(store: RedisEventStore) -> None:
    """Also for who was refused in the one before."""
    clock = Clock()
    limits = RateLimits(RequestCounts(store), TEN, clock)
    assert allowed(limits, 20) == 10
    clock.now += 60
    assert allowed(limits, 20) == 10


def test_subjects_and_kinds_are_counted_apart(store: RedisEventStore) -> None:
    """Nobody uses up what is another's."""
    limits = RateLimits(RequestCounts(store), TEN, Clock())
    assert allowed(limits, 20, "ann") == 10
    assert allowed(limits, 20, "ben") == 10
    other = limits.take("commands", "key", "ann")
    assert other is not None
    assert other.allowed


def test_several_processes_never_allow_more_than_the_quota(store: RedisEventStore) -> None:
    """And at most a lease of each is lost."""
    processes = [RateLimits(RequestCounts(store), HUNDRED, Clock()) for _ in range(4)]

    found = sum(allowed(processes[each % 4], 1) for each in range(400))

    assert 100 - 3 * (100 // LEASES) <= found <= 100


def test_threads_of_one_process_never_allow_more_than_the_quota(store: RedisEventStore) -> None:
    """However they meet."""
    limits = RateLimits(RequestCounts(store), HUNDRED, Clock())
    with ThreadPoolExecutor(16) as threads:
        found = sum(threads.map(lambda _: allowed(limits, 25), range(16)))
    assert found == 100


def test_the_server_is_asked_rarely(store: RedisEventStore) -> None:
    """A lease is a twentieth of the quota; who has used up all of it costs nothing any more."""
    server = Counted(RequestCounts(store))
    limits = RateLimits(server, HUNDRED, Clock())
    assert allowed(limits, 1000) == 100
    assert len(server.asked) == LEASES


def test_processes_that_die_often_use_up_no_quota(store: RedisEventStore) -> None:
    """Each takes little before it has spent much: one that is killed every second must not lock everybody out."""
    for _ in range(60):
        taken = RateLimits(RequestCounts(store), clock=Clock()).take("commands", "seat", "ann")
        assert taken is not None
        assert taken.allowed


def test_counts_expire_with_their_window(store: RedisEventStore) -> None:
    """Nothing about callers is left behind."""
    allowed(RateLimits(RequestCounts(store), TEN, Clock()), 1)
    key = f"limits:commands:seat/ann:{int(NOON // 60)}"
    assert 0 < store.connection.command("TTL", key) <= 61


def test_leases_last_while_the_server_is_away(store: RedisEventStore) -> None:
    """After that nothing can be said, and it is not asked at every request."""
    clock, server = Clock(), Counted(RequestCounts(store))
    limits = RateLimits(server, HUNDRED, clock)
    assert allowed(limits, 1) == 1
    server.away = True
    assert [limits.take("commands", "seat", "ann") is None for _ in range(10)] == [False] * 4 + [True] * 6
    assert len(server.asked) == 2
    server.away = False
    clock.now += PAUSE_SECONDS
    assert allowed(limits, 1) == 1


def test_quotas_are_configured_by_class_and_kind() -> None:
    """What is not named keeps its usual quota."""
    found = configured_quotas({"FIELDBOOK_LIMITS": "commands=600/60, reads.key=100000/30"})
    assert found is not None
    assert set(found["commands"].values()) == {Quota(600, 60)}
    assert found["reads"] == {**QUOTAS["reads"], "key": Quota(100_000, 30)}
    assert configured_quotas({}) == QUOTAS
    assert configured_quotas({"FIELDBOOK_LIMITS": "on"}) == QUOTAS
    assert configured_quotas({"FIELDBOOK_LIMITS": "off"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "commands",
        "commands=0/60",
        "commands=60/0",
        "commands=60",
        "moves=6/60",
        "reads.bot=6/60",
        "on,off",
    ],
)
def test_what_is_no_quota_is_refused(text: str) -> None:
    """The sentence says what there is to name."""
    with pytest.raises(BadSetting, match=r"FIELDBOOK_LIMITS takes .*commands, reads, games"):
        configured_quotas({"FIELDBOOK_LIMITS": text})


def test_the_usual_quotas_leave_room_for_a_tournament() -> None:
    """A key sets up a thousand tables at once and reads each once a second; a seat's bot thinks for 20 ms."""
    assert QUOTAS["games"]["key"].most >= 1_000
    assert QUOTAS["reads"]["key"].most / QUOTAS["reads"]["key"].seconds >= 1_000
    assert QUOTAS["commands"]["seat"].most / QUOTAS["commands"]["seat"].seconds >= 50
