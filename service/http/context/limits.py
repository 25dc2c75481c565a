"""Rate limits and bounds on open streams, for each caller and class of requests.

The headers are those of draft-ietf-httpapi-ratelimit-headers-11. Who shows a token that has proved to be one is
counted by it; everybody else by their address, also those who try tokens out. While the counts cannot be reached,
play and reading go on; making keys and webhooks, and setting games up without a key, does not.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from flask import Flask, Response, current_app, g, request

from service.access.rate_limits import Kind, RateLimits, Taken
from service.http.context.counting import (
    Limits,
    SentToken,
    cost_of,
    following_shares,
    network_of,
    networks_of,
    rate_headers,
    read_token,
)
from service.http.messages.begun import BEGUN, Begun
from service.http.messages.event_forms import EVENT_STREAM, preferred_form
from service.http.messages.problems import Problem
from service.http.push.feed_notifier import MOST_WAITING
from service.http.push.stream_limits import PART_OF_ONE, Shares, places_of

EXTENSION: Final = "fieldbook-limits"
WAITS: Final = Shares(MOST_WAITING // PART_OF_ONE, MOST_WAITING // 2, MOST_WAITING * 3 // 4)
"""Long polls in one process: nobody takes them all."""
POLLS: Final = "long polls"
_WHOSE: Final = {"game": "for this game", "address": "from your address"}
_WHOSE_QUOTA: Final[Mapping[Kind, str]] = {
    "spectators": " of all spectators of this game together,",
    "customer": " of your network,",
    "site": " of your network,",
}
CLOSED_WITHOUT_COUNTS: Final = frozenset({"keys", "webhooks", "guests"})
"""Classes that are refused while the counts cannot be reached."""
_GAME: Final = "/v1/games/<string:game>"
_EVENTS: Final = "/v1/games/<string:game>/events"
_COMMANDS: Final = "/v1/games/<string:game>/commands"


def limit_requests(app: Flask, limits: Limits) -> None:
    """Limit what an application is asked for."""
    app.extensions[EXTENSION] = limits
    app.before_request_funcs.setdefault(None, []).insert(0, limits.begin)
    app.teardown_request(lambda _error: limits.end())
    app.before_request(_begin)
    app.after_request(_end)


def sent_token() -> SentToken:
    """The token that came with this request, taken out of its header and hashed once."""
    known: SentToken | None = g.get("sent_token")
    if known is None:
        known = g.sent_token = read_token(request.headers.get("Authorization", ""))
    return known


def mark_authenticated(game: str = "") -> None:
    """Say that the token which came with this request is real, of this game: from now on it is counted by itself.

    Called where tokens are looked up. It also names the caller in the log, by the beginning of the token's hash.
    """
    limits: Limits | None = current_app.extensions.get(EXTENSION)
    token = sent_token()
    g.caller = f"{token.kind}:{token.digest[:8]}"
    if limits is not None:
        limits.mark_authenticated(token.digest, game)


def subject() -> tuple[Kind, str]:
    """Who is counted for this request: a key, or a token of a game, that has proved to be one; else an address."""
    limits: Limits = current_app.extensions[EXTENSION]
    return limits.subject(sent_token(), request.remote_addr or "")


def is_alone() -> bool:
    """Whether this request is the only one that this process answers now."""
    limits: Limits = current_app.extensions[EXTENSION]
    return limits.is_alone


def callers() -> tuple[str, str]:
    """Who asks: as it is counted, and by its address, since one who is there may have many tokens."""
    kind, name = subject()
    return f"{kind}/{name}", f"address/{network_of(request.remote_addr or '')}"


def shares_of(most: int, of_one: int) -> dict[str, int]:
    """What this request takes a place of (`service.http.context.places`), where there are `most` in all.

    One caller, and one address, has so many `of_one` at most.
    """
    return {"all": most, **dict.fromkeys(callers(), of_one)}


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
    return preferred_form(request.accept_mimetypes) == EVENT_STREAM


def _begin() -> None:
    name = class_of_request()
    if name is None:
        return
    limits: Limits = current_app.extensions[EXTENSION]
    kind, caller = subject()
    if limits.rates is not None:
        # What is verified or branched is kept nowhere, and counted by its number.
        cost = cost_of(request.content_length or 0) if name == "commands" else 1
        _take(limits, limits.rates, name, ((kind, caller),), cost)
    begun: Begun | None = request.environ.get(BEGUN)
    if begun is not None and begun.places:
        g.stream_places = begun.places
    elif name == "streams":
        shares = _shares(f"{kind}/{caller}")
        full = limits.open_stream(shares)
        if full is not None:
            what, whose = full.split("/")[:2]
            whose = _WHOSE.get(whose, "with your token")
            detail = f"{shares[full]} {what} are open here {whose}, as many as may be; close some."
            raise Problem(429, "too_many_streams", detail, headers={"Retry-After": "5"})
        g.stream_places = tuple(shares)


def _shares(caller: str) -> dict[str, int]:
    """What this stream or long poll takes a place of."""
    what, places = ("streams", places_of()) if _is_stream() else (POLLS, WAITS)
    return following_shares(
        what, places, (request.view_args or {}).get("game", ""), request.remote_addr or "", caller
    )


def carry_over() -> Begun:
    """What was done for this request, so that it can be asked again; from now on its places are the caller's."""
    _, taken = g.pop("rate", (None, None))
    return Begun(taken=taken, since=g.began, places=g.pop("stream_places", ()), span=g.pop("span", None))


def count_more(requests: int) -> None:
    """Count this request as so many more of its class.

    Raises:
        Problem: 429 where the quota has not as many left.
    """
    limits: Limits = current_app.extensions[EXTENSION]
    if limits.rates is not None and requests > 0:
        _take(limits, limits.rates, class_of_request() or "reads", (subject(),), requests)


def count_guest() -> None:
    """Count a game that is set up without a key, for the address that this request comes from.

    Raises:
        Problem: 429 where the quota has none left, 503 where that cannot be known.
    """
    limits: Limits = current_app.extensions[EXTENSION]
    if limits.rates is not None:
        *wider, own = networks_of(request.remote_addr or "")
        kinds: tuple[Kind, ...] = ("site", "customer")
        shared = reversed([*zip(kinds, wider, strict=False)])
        _take(limits, limits.rates, "guests", (("address", own), *shared), 1)


def _take(
    limits: Limits, rates: RateLimits, name: str, counted: Sequence[tuple[Kind, str]], cost: int
) -> None:
    """Take requests from the quota of a caller, and then from those that it shares with others."""
    begun: Begun | None = request.environ.get(BEGUN)
    taken, whose = begun.taken if begun is not None else None, ""
    if taken is None:
        taken = rates.take(name, *counted[0], cost)
        game = limits.game_watched(sent_token())
        shared: Sequence[tuple[Kind, str]] = (("spectators", game),) if game else counted[1:]
        for kind, name_of_all in shared:
            more = rates.take(name, kind, name_of_all, cost) if taken is not None and taken.allowed else None
            if taken and more and (more.allowed, more.left) < (taken.allowed, taken.left):
                taken, whose = more, _WHOSE_QUOTA[kind]
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
            f"The quota '{name}'{whose} of {taken.quota.most} requests in {taken.quota.seconds} seconds has not"
            f" {cost} left for this one; it is renewed in {taken.seconds} seconds.",
            headers={"Retry-After": str(taken.seconds)},
            quota=name,
            **{"violated-policies": [name]},
        )


def _end(response: Response) -> Response:
    rate: tuple[str, Taken] | None = g.get("rate")
    if rate is not None:
        response.headers.update(rate_headers(*rate))
    shares: tuple[str, ...] | None = g.get("stream_places")
    if shares is not None:
        limits: Limits = current_app.extensions[EXTENSION]
        if response.is_streamed:
            response.call_on_close(lambda: limits.close_stream(shares))
        else:
            limits.close_stream(shares)
    return response
