"""Rate limits and bounds on open streams, for each caller and class of requests.

The headers are those of draft-ietf-httpapi-ratelimit-headers-11. Who shows a token that has proved to be one is
counted by it; everybody else by their address, also those who try tokens out. While the counts cannot be reached,
play and reading go on; making keys and webhooks does not.
"""

import ipaddress
from collections import Counter, OrderedDict
from functools import lru_cache
from threading import Lock
from typing import Final, NamedTuple

from flask import Flask, Response, current_app, g, request

from service.access.keys import KEY_PREFIX
from service.access.rate_limits import Kind, RateLimits, Taken
from service.access.tokens import SEAT_PREFIX, SPECTATOR_PREFIX, token_digest
from service.http.messages.problems import Problem
from service.http.push.stream_limits import places_of_one
from service.platform.metrics import Metrics

EXTENSION: Final = "fieldbook-limits"
WAITS_OF_ONE: Final = 24
"""Long polls of one caller in one process: half of its places, so that nobody takes them all."""
CLOSED_WITHOUT_COUNTS: Final = frozenset({"keys", "webhooks"})
"""Classes that are refused while the counts cannot be reached."""
_GAME: Final = "/v1/games/<string:game>"
_EVENTS: Final = "/v1/games/<string:game>/events"
_COMMANDS: Final = "/v1/games/<string:game>/commands"
_KINDS: Final[tuple[tuple[str, Kind], ...]] = (
    (KEY_PREFIX, "key"),
    (SEAT_PREFIX, "seat"),
    # Counted as a seat's: both are good in one game.
    (SPECTATOR_PREFIX, "seat"),
)
LONGEST_TOKEN: Final = 100
"""Characters of a token at most."""
REMEMBERED: Final = 50_000
"""Tokens that a process remembers to be real; one that was forgotten proves itself again."""


class Limits:
    """What limits the requests of an application."""

    def __init__(self, rates: RateLimits | None, metrics: Metrics) -> None:
        """Limit by these rates, or only the open streams where there are none."""
        self.rates = rates
        self.metrics = metrics
        self._authenticated: OrderedDict[str, None] = OrderedDict()
        self._streams: Counter[str] = Counter()
        self._lock = Lock()

    def mark_authenticated(self, digest: str) -> None:
        """Remember that the token with this hash is real."""
        with self._lock:
            self._authenticated[digest] = None
            self._authenticated.move_to_end(digest)
            if len(self._authenticated) > REMEMBERED:
                self._authenticated.popitem(last=False)

    def is_authenticated(self, digest: str) -> bool:
        """Whether a token with this hash was real lately."""
        return digest in self._authenticated

    def open_stream(self, caller: str, most: int) -> bool:
        """Give a caller a place for one more stream; False where it has as many as it may have."""
        with self._lock:
            free = self._streams[caller] < most
            self._streams[caller] += free
        if free:
            self.metrics.streams.inc()
        return free

    def close_stream(self, caller: str) -> None:
        """Take a place back."""
        with self._lock:
            self._streams[caller] -= 1
            if not self._streams[caller]:
                del self._streams[caller]
        self.metrics.streams.dec()


def limit_requests(app: Flask, limits: Limits) -> None:
    """Limit what an application is asked for."""
    app.extensions[EXTENSION] = limits
    app.before_request(_begin)
    app.after_request(_end)


class SentToken(NamedTuple):
    """What a request's header `Authorization` holds."""

    text: str
    """The token; empty where there is none."""
    kind: Kind | None
    """None where it cannot be a token of this service."""
    digest: str
    """The hash of one that can be."""


def sent_token() -> SentToken:
    """The token that came with this request, taken out of its header and hashed once."""
    known: SentToken | None = g.get("sent_token")
    if known is None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        text = token.strip() if scheme.lower() == "bearer" else ""
        kind = next((kind for prefix, kind in _KINDS if text.startswith(prefix)), None)
        if len(text) > LONGEST_TOKEN:
            kind = None
        known = g.sent_token = SentToken(text, kind, token_digest(text) if kind else "")
    return known


def mark_authenticated() -> None:
    """Say that the token which came with this request is real: from now on it is counted by itself.

    Called where tokens are looked up. It also names the caller in the log, by the beginning of the token's hash.
    """
    limits: Limits | None = current_app.extensions.get(EXTENSION)
    token = sent_token()
    g.caller = f"{token.kind}:{token.digest[:8]}"
    if limits is not None:
        limits.mark_authenticated(token.digest)


def subject() -> tuple[Kind, str]:
    """Who is counted for this request: a key, or a token of a game, that has proved to be one; else an address."""
    limits: Limits = current_app.extensions[EXTENSION]
    token = sent_token()
    if token.kind is not None and limits.is_authenticated(token.digest):
        return token.kind, token.digest[:32]
    return "address", _network(request.remote_addr or "")


def class_of_request() -> str | None:
    """The class of requests that this one belongs to; None where nothing is limited."""
    rule = request.url_rule.rule if request.url_rule is not None else request.path
    if not rule.startswith("/v1"):
        return None
    if request.method in {"GET", "HEAD", "OPTIONS"}:
        waits = rule in {_EVENTS, _GAME, _COMMANDS} and "wait" in request.args
        return "streams" if waits or (rule == _EVENTS and _is_stream()) else "reads"
    if rule.startswith("/v1/keys"):
        return "keys"
    if rule.startswith("/v1/webhooks"):
        return "webhooks"
    if rule.endswith("/branches"):
        return "branches"
    named = {"/v1/games": "games", "/v1/verifications": "verifications"}
    return named.get(rule, "commands")


def _is_stream() -> bool:
    """Whether a request for events wants them as a stream."""
    return "text/event-stream" in request.headers.get("Accept", "")


def _begin() -> None:
    name = class_of_request()
    if name is None:
        return
    limits: Limits = current_app.extensions[EXTENSION]
    kind, caller = subject()
    if limits.rates is not None:
        _take(limits, limits.rates, name, kind, caller)
    if name == "streams":
        # A stream holds an open file, a long poll a thread: there are many more of the one than of the other.
        what, most = ("streams", places_of_one()) if _is_stream() else ("long polls", WAITS_OF_ONE)
        place = f"{what}/{kind}/{caller}"
        if not limits.open_stream(place, most):
            detail = f"You have {most} {what} open here, as many as one caller may have; close some."
            raise Problem(429, "too_many_streams", detail, headers={"Retry-After": "5"})
        g.stream_place = place


def _take(limits: Limits, rates: RateLimits, name: str, kind: Kind, caller: str) -> None:
    taken = rates.take(name, kind, caller)
    if taken is None:
        limits.metrics.unlimited.inc()
        if name in CLOSED_WITHOUT_COUNTS:
            detail = (
                "What was asked for lately cannot be counted now, and this is not done without; try again."
            )
            raise Problem(503, "limits_unavailable", detail, headers={"Retry-After": "5"})
        return
    g.rate = (name, taken)
    if not taken.allowed:
        limits.metrics.limited.labels(name).inc()
        raise Problem(
            429,
            "quota_exceeded",
            f"The quota '{name}' of {taken.quota.most} requests in {taken.quota.seconds} seconds is used up; "
            f"it is renewed in {taken.seconds} seconds.",
            headers={"Retry-After": str(taken.seconds)},
            quota=name,
            **{"violated-policies": [name]},
        )


def _end(response: Response) -> Response:
    rate: tuple[str, Taken] | None = g.get("rate")
    if rate is not None:
        name, taken = rate
        response.headers["RateLimit-Policy"] = f'"{name}";q={taken.quota.most};w={taken.quota.seconds}'
        response.headers["RateLimit"] = f'"{name}";r={taken.left};t={taken.seconds}'
    place: str | None = g.get("stream_place")
    if place is not None:
        limits: Limits = current_app.extensions[EXTENSION]
        if response.is_streamed:
            response.call_on_close(lambda: limits.close_stream(place))
        else:
            limits.close_stream(place)
    return response


@lru_cache(maxsize=10_000)
def _network(address: str) -> str:
    """The part of an address that belongs to one customer: all of IPv4, the first 64 bits of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.IPv6Network((found, 64), strict=False).network_address)
    return str(found)
