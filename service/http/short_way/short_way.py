"""A few frequent requests of seats without Flask and without a thread: the functions that decide are those behind it.

What goes well is answered here. Everything else, each refusal and each problem, is left to the long way, which does
it all again; what must not happen twice (what it took of a quota, its places, the id of the request) goes with it.
"""

import logging
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import marshmallow as ma
import msgspec
from flask import Flask

from events.store.errors import RequirementUnmet, StoreError
from events.store.waiting import bound_waiting
from service.access.rate_limits import Taken
from service.access.tokens import token_field
from service.http.context.counting import (
    Limits,
    SentToken,
    cost_of,
    following_shares,
    rate_headers,
    read_token,
)
from service.http.context.identity import read_request_id
from service.http.context.limits import EXTENSION as LIMITS
from service.http.context.limits import POLLS, WAITS
from service.http.context.services import EXTENSION, SETTINGS, Services
from service.http.messages.begun import Begun
from service.http.messages.bodies import headers_for
from service.http.messages.caching import DEPENDS_ON, HELD_PRIVATELY
from service.http.messages.problems import Problem
from service.http.middleware.cors import cross_origin_headers
from service.http.middleware.observing import log_request, said_of_answer
from service.http.middleware.security_headers import security_headers
from service.http.middleware.store_waiting import STORE_SECONDS
from service.http.short_way.hot_request import HotRequest, Kind
from service.http.short_way.looking import Looking, Patience
from service.http.short_way.sending import Sending
from service.platform.tracing import Trace, begin_trace
from service.play.deciding import HiddenInformationRevealed, Refused, Stale
from service.play.outcome import TooBusy
from service.startup.web_settings import WebSettings
from service.storage.pipelining import open_pipelined_store
from service.telemetry.spans import Span, begin_request, make_current

ROUTES: Final[dict[Kind, tuple[str, str]]] = {
    "send": ("POST", "/v1/games/{game}/commands"),
    "legal": ("GET", "/v1/games/{game}/commands"),
    "table": ("GET", "/v1/games/{game}"),
}
"""Method and route of each kind of request, as they are counted and logged."""
_LEFT_TO_THE_LONG_WAY: Final = (
    Problem,
    ma.ValidationError,
    Refused,
    HiddenInformationRevealed,
    Stale,
    TooBusy,
    RequirementUnmet,
)
_log = logging.getLogger("fieldbook.http")


class ShortAnswer(NamedTuple):
    """An answer with status 200."""

    headers: list[tuple[str, str]]
    body: bytes


class _LongWay(Exception):
    """The long way has to answer."""


@dataclass(slots=True)
class _Attempt:
    """A request on the short way, and what was done for it."""

    asked: HotRequest
    token: SentToken
    trace: Trace
    began: float
    span: Span
    request_id: str = ""
    taken: Taken | None = None
    places: Mapping[str, int] | None = None
    seat: int = 0
    field: str = ""

    def begun(self, waited: float = 0.0) -> Begun:
        """What must not be done twice; from now on its places are the long way's."""
        places, self.places = self.places, None
        return Begun(self.request_id, self.taken, waited, self.began, tuple(places or ()), self.span)


class ShortWay:
    """The short way of one process."""

    def __init__(self, application: Flask, threads: Executor) -> None:
        """Answer as this application would; what takes long is done in these threads."""
        self._services: Services = application.extensions[EXTENSION]
        self._limits: Limits = application.extensions[LIMITS]
        self.settings: WebSettings = application.extensions[SETTINGS]
        self._threads = threads
        self._store = open_pipelined_store(self._services.store, threads)
        self._sending = self.open_sending()
        self._looking = Looking(self._services, self._store)
        always = security_headers(self.settings.hsts_seconds) | {"Content-Type": "application/json"}
        by_origin = dict(cross_origin_headers(self.settings.cors_origins, None))
        depends = ", ".join((*DEPENDS_ON, *by_origin.values()))
        self._said_with = {
            "send": [*(always | by_origin).items()],
            "look": [*(always | {"Cache-Control": HELD_PRIVATELY, "Vary": depends}).items()],
        }
        counted = self._limits.metrics.requests
        self._answered = {kind: counted.labels(*route, "200") for kind, route in ROUTES.items()}

    def open_sending(self) -> Sending:
        """What applies commands here."""
        return Sending(self._services, self._store)

    def close(self) -> None:
        """Ask the store nothing more."""
        self._store.close()

    async def answer(self, asked: HotRequest, body: bytes, patience: Patience) -> ShortAnswer | Begun:
        """Answer a request; what was begun, where the long way has to."""
        began = time.perf_counter()
        bound_waiting(STORE_SECONDS)
        method, route = ROUTES[asked.kind]
        sent = asked.header(b"traceparent")
        span = begin_request(f"{method} {route}", sent)
        make_current(span)
        trace = begin_trace(asked.header(b"x-request-id"), sent, span.trace_id)
        attempt = _Attempt(asked, read_token(asked.header(b"authorization") or ""), trace, began, span)
        self._limits.begin()
        try:
            self._recall_seat(attempt)
            answer = await (
                self._send(attempt, body) if asked.kind == "send" else self._look(attempt, patience)
            )
        except StoreError:
            return attempt.begun(time.perf_counter() - began)
        except (_LongWay, *_LEFT_TO_THE_LONG_WAY):
            return attempt.begun()
        except Exception:  # noqa: BLE001 - the long way answers, and knows by the id what was appended
            _log.exception("a request broke on the short way")
            return attempt.begun()
        finally:
            if attempt.places is not None:
                self._limits.close_stream(attempt.places)
            self._limits.end()
        self._limits.mark_authenticated(attempt.token.digest)
        if not self._services.presence.was_seen(asked.game, attempt.seat):
            self._threads.submit(self._services.presence.seen, asked.game, attempt.seat)
        seconds = time.perf_counter() - began
        self._answered[asked.kind].observe(seconds)
        span.say(said_of_answer(method, route, 200))
        span.end()
        log_request(200, seconds, len(answer.body), _describe(attempt))
        return answer

    def _recall_seat(self, attempt: _Attempt) -> None:
        """Find the seat that the token was last known to be.

        Raises:
            _LongWay: this process knows of none.
        """
        token = attempt.token
        if token.kind != "seat":
            raise _LongWay
        attempt.field = token_field(token.text, token.digest)
        seat = self._services.game_access.remembered_seat(attempt.asked.game, attempt.field)
        if seat is None:
            raise _LongWay
        attempt.seat = seat

    async def _send(self, attempt: _Attempt, body: bytes) -> ShortAnswer:
        """Apply a command."""
        asked = attempt.asked
        attempt.request_id = read_request_id(asked.header(b"idempotency-key"))
        understood = self._sending.understand(asked, body)
        if understood is None:
            raise _LongWay
        await self._take(attempt, "commands", cost_of(len(body)))
        outcome = await self._sending.apply(
            asked.game, attempt.seat, attempt.field, understood, attempt.request_id
        )
        headers = [*self._said_with["send"], *headers_for(*outcome.head).items()]
        if outcome.duplicate:
            headers.append(("Idempotent-Replayed", "true"))
        return self._form(attempt, "commands", headers, self._sending.form(asked.game, attempt.seat, outcome))

    async def _look(self, attempt: _Attempt, patience: Patience) -> ShortAnswer:
        """Show the table, or what is legal there."""
        asked = attempt.asked
        name = "reads" if asked.wait is None else "streams"
        await self._take(attempt, name, 1)
        if asked.wait is not None:
            kind, caller = self._limits.subject(attempt.token, asked.address)
            shares = following_shares(POLLS, WAITS, asked.game, asked.address, f"{kind}/{caller}")
            if self._limits.open_stream(shares) is not None:
                raise _LongWay
            attempt.places = shares
        seen = await self._looking.look(asked, attempt.seat, attempt.field, patience)
        if seen is None:
            raise _LongWay
        headers = [
            *self._said_with["look"],
            *headers_for(seen.table.version, seen.table.hash, seen.viewer).items(),
        ]
        return self._form(attempt, name, headers, self._looking.form(asked, seen))

    async def _take(self, attempt: _Attempt, name: str, cost: int) -> None:
        """Count this as a request of a class, where requests are counted and that can be done.

        Raises:
            _LongWay: the quota has not as many left.
        """
        rates = self._limits.rates
        if rates is None:
            return
        counted = (name, *self._limits.subject(attempt.token, attempt.asked.address), cost)
        attempt.taken = rates.take_leased(*counted)
        if attempt.taken is None:
            attempt.taken = await self._store.wait_for(partial(rates.take, *counted))
        if attempt.taken is None:
            self._limits.metrics.unlimited.inc()
        elif not attempt.taken.allowed:
            raise _LongWay

    def _form(
        self, attempt: _Attempt, quota: str, headers: list[tuple[str, str]], value: dict[str, Any]
    ) -> ShortAnswer:
        """The answer."""
        body = msgspec.json.encode(value)
        headers += [("X-Request-Id", attempt.trace.request_id), ("Content-Length", str(len(body)))]
        headers += [
            (name, value)
            for name, value in cross_origin_headers(
                self.settings.cors_origins, attempt.asked.header(b"origin")
            )
            if name != "Vary"
        ]
        if attempt.taken is not None:
            headers += rate_headers(quota, attempt.taken)
        return ShortAnswer(headers, body)


def _describe(attempt: _Attempt) -> dict[str, str]:
    """What the log says of the request besides numbers."""
    method, route = ROUTES[attempt.asked.kind]
    about = {"method": method, "route": route, "request_id": attempt.trace.request_id}
    if attempt.trace.trace_id is not None:
        about["trace_id"] = attempt.trace.trace_id
    return about | {"caller": f"{attempt.token.kind}:{attempt.token.digest[:8]}"}
