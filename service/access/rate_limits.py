"""Rate limits: how much one subject may ask for in a window of time, counted on the store's server.

Windows are fixed and begin at multiples of their length, so what is left and when it is renewed can be said exactly.
Each process takes a part of a quota at once (a lease) and spends it by itself: one round trip in many requests, and
never more than the quota in all. What a process took and did not spend is lost to the others until the window ends:
somebody who is spread over all processes may be stopped early, by one lease for each further process. A lease is at
most as much as the process has spent before, so that processes which die often take little with them.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Literal, Protocol

from events.store.errors import StoreError
from service.platform.configuration import BadSetting, setting

Kind = Literal["address", "seat", "key", "spectators", "customer", "site"]
"""Who is counted: a caller by what it shows, all spectators' tokens of one game together, or a larger network."""
KINDS: Final[tuple[Kind, ...]] = ("address", "seat", "key")
"""Those that have quotas of their own."""
SPECTATORS_TOGETHER: Final = 5
"""All spectators' tokens of a game have together as much as so many of them: a seat mints as many as it likes."""
TOGETHER: Final[Mapping[Kind, tuple[Kind, int]]] = {
    "spectators": ("seat", SPECTATORS_TOGETHER),
    "customer": ("address", 3),
    "site": ("address", 10),
}
"""Those that have the quota of one of another kind, times a number: a /56, and a /48 or a /24 of IPv4."""
LEASES: Final = 20
"""A quota is divided into so many leases of the largest size."""
FIRST_LEASE: Final = 25
"""What a process takes at first."""
REMEMBERED: Final = 20_000
"""Subjects that a process keeps leases of; the oldest lose what is left of theirs."""
PAUSE_SECONDS: Final = 1.0
"""After the server did not answer it is not asked again for so long."""

_OTHER: Final = re.compile(
    r"(?P<name>[a-z]+)(\.(?P<kind>address|seat|key))?=(?P<most>[0-9]{1,9})/(?P<seconds>[0-9]{1,5})"
)


@dataclass(frozen=True, slots=True)
class Quota:
    """So many requests in so many seconds."""

    most: int
    seconds: int


QUOTAS: Final[Mapping[str, Mapping[Kind, Quota]]] = {
    "commands": {"address": Quota(3_000, 60), "seat": Quota(3_000, 60), "key": Quota(30_000, 60)},
    "reads": {"address": Quota(12_000, 60), "seat": Quota(12_000, 60), "key": Quota(60_000, 60)},
    "games": {"address": Quota(60, 60), "seat": Quota(60, 60), "key": Quota(3_000, 60)},
    "guests": {"address": Quota(20, 3600)},
    "keys": {"address": Quota(10, 60), "seat": Quota(10, 60), "key": Quota(60, 60)},
    "webhooks": {"address": Quota(10, 60), "seat": Quota(10, 60), "key": Quota(60, 60)},
    "streams": {"address": Quota(600, 60), "seat": Quota(600, 60), "key": Quota(3_000, 60)},
    "branches": {"address": Quota(60, 60), "seat": Quota(60, 60), "key": Quota(600, 60)},
    "verifications": {"address": Quota(60, 60), "seat": Quota(60, 60), "key": Quota(600, 60)},
}
"""What each class of requests may be asked for, by what the caller shows: nothing, a seat's token, or a key.

A person sends a command in seconds and a bot in milliseconds: 50 a second for a seat stops loops that went wild, not
tournaments. Integrators' keys have ten times as much and set up 50 games a second; guests, who have none, few in an
hour. Each command of an array counts, and so does every `BYTES_OF_ONE` of a command's body: what one may write in a
minute is bounded in bytes too.
"""


BYTES_OF_ONE: Final = 4096
"""A body counts as one request more for so many bytes."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of asking for one request more."""

    quota: Quota
    allowed: bool
    left: int
    """Requests that may surely follow in this window."""
    seconds: int
    """Until the window ends."""


class Counts(Protocol):
    """Where the counts are: `service.access.store.RequestCounts`."""

    def add(self, window: str, number: int, seconds: int) -> int:
        """Add to the count of a window, which is kept for so long; returns what it is then."""
        ...


@dataclass(slots=True)
class _Lease:
    window: int
    free: int = 0
    taken: int = 0
    """Of the quota, what this process has taken in this window."""
    counted: int = 0
    """Of the quota, what all processes had taken when this one last asked."""


@dataclass(slots=True)
class RateLimits:
    """The quotas, and what this process holds of them."""

    counts: Counts
    quotas: Mapping[str, Mapping[Kind, Quota]] = field(default_factory=lambda: QUOTAS)
    clock: Callable[[], float] = time.time
    _leases: OrderedDict[tuple[str, Kind, str], _Lease] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _away_until: float = 0.0

    def take_leased(self, name: str, kind: Kind, subject: str, cost: int = 1) -> Taken | None:
        """As `take`, without asking anybody; None where what was leased before does not decide."""
        quota = self._quota(name, kind)
        now = self.clock()
        with self._lock:
            lease = self._lease((name, kind, subject), int(now // quota.seconds))
            is_decided = lease.free >= cost or lease.counted >= quota.most
            return self._spend(lease, quota, now, cost) if is_decided else None

    def take(self, name: str, kind: Kind, subject: str, cost: int = 1) -> Taken | None:
        """Take a request of a class that costs as much as so many, or none of it.

        None when the counts cannot be reached and not enough was leased before.
        """
        quota = self._quota(name, kind)
        now = self.clock()
        window = int(now // quota.seconds)
        place = (name, kind, subject)
        with self._lock:
            lease = self._lease(place, window)
            if lease.free >= cost or lease.counted >= quota.most:
                return self._spend(lease, quota, now, cost)
            missing = cost - lease.free
        if now < self._away_until:
            return None
        part = max(missing, 1, min(quota.most // LEASES, max(FIRST_LEASE, lease.taken)))
        try:
            counted = self.counts.add(f"{name}:{kind}/{subject}:{window}", part, quota.seconds + 1)
        except StoreError:
            self._away_until = now + PAUSE_SECONDS
            return None
        with self._lock:
            lease = self._lease(place, window)
            lease.taken += part
            lease.free += max(0, min(part, quota.most - (counted - part)))
            lease.counted = max(lease.counted, counted)
            return self._spend(lease, quota, now, cost)

    def _quota(self, name: str, kind: Kind) -> Quota:
        one, times = TOGETHER.get(kind, (kind, 1))
        quota = self.quotas[name][one]
        return Quota(quota.most * times, quota.seconds)

    def _lease(self, place: tuple[str, Kind, str], window: int) -> _Lease:
        lease = self._leases.get(place)
        if lease is None or lease.window != window:
            lease = self._leases[place] = _Lease(window)
            if len(self._leases) > REMEMBERED:
                self._leases.popitem(last=False)
        self._leases.move_to_end(place)
        return lease

    def _spend(self, lease: _Lease, quota: Quota, now: float, cost: int) -> Taken:
        allowed = lease.free >= cost
        lease.free -= cost if allowed else 0
        left = lease.free + max(0, quota.most - lease.counted)
        return Taken(quota, allowed, left, max(1, round((lease.window + 1) * quota.seconds - now)))


def configured_quotas(
    environment: Mapping[str, str] | None = None,
) -> Mapping[str, Mapping[Kind, Quota]] | None:
    """The quotas of FIELDBOOK_LIMITS; None where there are to be no limits.

    `commands=600/60,reads.key=100000/60` has other quotas for these than the usual ones.

    Raises:
        BadSetting: it cannot be understood.
    """
    text = setting("FIELDBOOK_LIMITS", environment)
    if text == "off":
        return None
    quotas = {name: dict(kinds) for name, kinds in QUOTAS.items()}
    for each in [] if text == "on" else text.split(","):
        found = _OTHER.fullmatch(each.strip())
        if (
            found is None
            or found["name"] not in quotas
            or not int(found["most"])
            or not int(found["seconds"])
        ):
            raise BadSetting(
                f"FIELDBOOK_LIMITS takes on, off, or quotas such as commands=600/60 or reads.key=100000/60, with"
                f" commas between; the classes are {', '.join(quotas)}. This is none: {each!r}."
            )
        for kind in KINDS:
            if found["kind"] in (None, kind):
                quotas[found["name"]][kind] = Quota(int(found["most"]), int(found["seconds"]))
    return quotas
