"""Who is counted for a request, and what is left for whom: without any request of a framework at hand."""

import ipaddress
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from service.access.keys import KEY_PREFIX
from service.access.rate_limits import BYTES_OF_ONE, Kind, RateLimits, Taken
from service.access.tokens import SEAT_PREFIX, SPECTATOR_PREFIX, token_digest
from service.http.context.places import Places
from service.http.middleware.proxies import parse_address
from service.http.push.stream_limits import Shares
from service.platform.metrics import Metrics

_KINDS: Final[tuple[tuple[str, Kind], ...]] = (
    (KEY_PREFIX, "key"),
    (SEAT_PREFIX, "seat"),
    # Counted as a seat's, and besides with all others of its game: seats are few, and tokens to watch soon minted.
    (SPECTATOR_PREFIX, "seat"),
)
_WIDER: Final = {4: (24,), 6: (48, 56)}
"""Networks beyond one customer's address, by the version of IP: bits of their prefixes."""
LONGEST_TOKEN: Final = 100
"""Characters of a token at most."""
REMEMBERED: Final = 50_000
"""Tokens that a process remembers to be real; one that was forgotten proves itself again."""


class SentToken(NamedTuple):
    """What a request's header `Authorization` holds."""

    text: str
    """The token; empty where there is none."""
    kind: Kind | None
    """None where it cannot be a token of this service."""
    digest: str
    """The hash of one that can be."""


def read_token(authorization: str) -> SentToken:
    """The token in a header `Authorization`, hashed once."""
    scheme, _, token = authorization.partition(" ")
    text = token.strip() if scheme.lower() == "bearer" else ""
    kind = next((kind for prefix, kind in _KINDS if text.startswith(prefix)), None)
    if len(text) > LONGEST_TOKEN:
        kind = None
    return SentToken(text, kind, token_digest(text) if kind else "")


class Limits:
    """What limits the requests of an application."""

    def __init__(self, rates: RateLimits | None, metrics: Metrics) -> None:
        """Limit by these rates, or only the open streams where there are none."""
        self.rates = rates
        self.metrics = metrics
        self._authenticated: OrderedDict[str, str] = OrderedDict()
        self._streams = Places()
        self._under_way = 0
        self._lock = Lock()

    def mark_authenticated(self, digest: str, game: str = "") -> None:
        """Remember that the token with this hash is real, and of which game it is."""
        with self._lock:
            self._authenticated[digest] = game
            self._authenticated.move_to_end(digest)
            if len(self._authenticated) > REMEMBERED:
                self._authenticated.popitem(last=False)

    def is_authenticated(self, digest: str) -> bool:
        """Whether a token with this hash was real lately."""
        return digest in self._authenticated

    @property
    def is_alone(self) -> bool:
        """Whether one request is being answered, and no other."""
        return self._under_way <= 1

    def begin(self) -> None:
        """A request is being answered."""
        with self._lock:
            self._under_way += 1

    def end(self) -> None:
        """It was."""
        with self._lock:
            self._under_way -= 1

    def open_stream(self, shares: Mapping[str, int]) -> str | None:
        """Take a place for one more stream in each of these shares; else the name of one that has none left."""
        full = self._streams.take(shares)
        if full is None:
            self.metrics.streams.inc()
        return full

    def close_stream(self, shares: Iterable[str]) -> None:
        """Give a place back."""
        self._streams.give_back(shares)
        self.metrics.streams.dec()

    def subject(self, token: SentToken, address: str) -> tuple[Kind, str]:
        """Who is counted: a key, or a token of a game, that has proved to be one; else an address."""
        if token.kind is not None and self.is_authenticated(token.digest):
            return token.kind, token.digest[:32]
        return "address", network_of(address)

    def game_watched(self, token: SentToken) -> str:
        """The game whose spectators are counted together with this token; empty for whoever is no spectator."""
        is_spectator = token.text.startswith(SPECTATOR_PREFIX)
        return self._authenticated.get(token.digest, "") if is_spectator else ""


def following_shares(what: str, places: Shares, game: str, address: str, caller: str) -> dict[str, int]:
    """What a stream or a long poll takes a place of: a seat gives tokens to spectators, and all are one address's."""
    return {
        f"{what}/game/{game}": places.game,
        f"{what}/address/{network_of(address)}": places.address,
        # Who shows no token is counted by the address: then this one stands in place of the one before.
        f"{what}/{caller}": places.caller,
    }


def cost_of(size: int) -> int:
    """What a request for commands with so many bytes of body costs."""
    return 1 + size // BYTES_OF_ONE


def rate_headers(name: str, taken: Taken) -> tuple[tuple[str, str], ...]:
    """What is told about the quota of this name (draft-ietf-httpapi-ratelimit-headers-11)."""
    return (
        ("RateLimit-Policy", f'"{name}";q={taken.quota.most};w={taken.quota.seconds}'),
        ("RateLimit", f'"{name}";r={taken.left};t={taken.seconds}'),
    )


def networks_of(address: str) -> tuple[str, ...]:
    """Return the networks that an address is in, the largest first; the last one is that of `network_of`."""
    found = parse_address(address)
    if found is None:
        return (address,)
    wider = (ipaddress.ip_network((found, bits), strict=False) for bits in _WIDER[found.version])
    return (*map(str, wider), network_of(address))


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """Return the part of an address that belongs to one customer: all of IPv4, the first 64 bits of IPv6."""
    found = parse_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((found, 64), strict=False).network_address)
    return address if found is None else str(found)
