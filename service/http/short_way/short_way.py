"""A command on the short way: the functions that decide are those behind Flask, and here they wait in an event loop.

What goes well is answered here. Everything else, each refusal and each problem, is left to the long way, which does
it all again; what must not happen twice (what it took of a quota, the id of the request) goes with it.
"""

import logging
import time
from concurrent.futures import Executor
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import marshmallow as ma
import msgspec
from flask import Flask

from events import commands as c
from events.commands import Command
from events.store.errors import RequirementUnmet, StoreError
from events.store.waiting import bound_waiting
from service.access.rate_limits import Taken
from service.access.tokens import token_field
from service.http.context.counting import Limits, SentToken, cost_of, rate_headers, read_token
from service.http.context.identity import fingerprint_of, read_expected_version, read_request_id
from service.http.context.limits import EXTENSION as LIMITS
from service.http.context.services import EXTENSION, SETTINGS, Services
from service.http.follow.command_answers import command_answer
from service.http.messages.begun import Begun
from service.http.messages.bodies import headers_for
from service.http.messages.problems import Problem
from service.http.messages.reading import LARGEST_BODY, decode_json
from service.http.middleware.cors import cross_origin_headers
from service.http.middleware.observing import log_request
from service.http.middleware.security_headers import security_headers
from service.http.middleware.store_waiting import STORE_SECONDS
from service.http.schemas.commands import load_command
from service.http.short_way.hot_request import HotRequest
from service.platform.clock import now_milliseconds
from service.platform.tracing import Trace, begin_trace
from service.play.command_handling import Outcome, TooBusy
from service.play.deciding import HiddenInformationRevealed, Refused, Request, Stale
from service.play.steps import complete_in_loop
from service.startup.web_settings import WebSettings
from service.storage.pipelining import open_pipelined_store

ROUTE: Final = "/v1/games/{game}/commands"
SHORT_BODY: Final = 128
"""Bytes of a body at most of which it is remembered what it says: most commands are the same few ones."""
_LONG: Final = (c.AskTakeBack, c.AgreeTakeBack)
"""Commands that look far back in the log."""
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


class Understood(NamedTuple):
    """A command that was understood."""

    command: Command
    fingerprint: str
    expected: tuple[int, str] | None
    seat: int
    field: str


class ShortWay:
    """The short way of one process."""

    def __init__(self, application: Flask, threads: Executor) -> None:
        """Answer as this application would; what takes long is done in these threads."""
        self._services: Services = application.extensions[EXTENSION]
        self._limits: Limits = application.extensions[LIMITS]
        self.settings: WebSettings = application.extensions[SETTINGS]
        self._threads = threads
        self._store = open_pipelined_store(self._services.store, threads)
        self._always = [
            ("Content-Type", "application/json"),
            *security_headers(self.settings.hsts_seconds).items(),
        ]
        self._answered = self._limits.metrics.requests.labels("POST", ROUTE, "200")

    def close(self) -> None:
        """Ask the store nothing more."""
        self._store.close()

    async def answer(self, asked: HotRequest, body: bytes) -> ShortAnswer | Begun:
        """Apply a command; what was begun, where the long way has to answer."""
        began = time.perf_counter()
        bound_waiting(STORE_SECONDS)
        trace = begin_trace(asked.header(b"x-request-id"), asked.header(b"traceparent"))
        token = read_token(asked.header(b"authorization") or "")
        self._limits.begin()
        request_id, taken = "", None
        try:
            request_id = read_request_id(asked.header(b"idempotency-key"))
            understood = self._understand(asked, token, body)
            if understood is None:
                return Begun(request_id, since=began)
            taken = await self._take(asked, token, len(body))
            if taken is not None and not taken.allowed:
                return Begun(request_id, taken, since=began)
            outcome = await self._apply(asked.game, understood, request_id)
            answer = self._form(asked, understood.seat, outcome, taken, trace)
        except StoreError:
            return Begun(request_id, taken, time.perf_counter() - began, began)
        except _LEFT_TO_THE_LONG_WAY:
            return Begun(request_id, taken, since=began)
        except Exception:  # noqa: BLE001 - the long way answers, and knows by the id what was appended
            _log.exception("a request broke on the short way")
            return Begun(request_id, taken, since=began)
        finally:
            self._limits.end()
        self._limits.mark_authenticated(token.digest)
        if not self._services.presence.was_seen(asked.game, understood.seat):
            self._threads.submit(self._services.presence.seen, asked.game, understood.seat)
        seconds = time.perf_counter() - began
        self._answered.observe(seconds)
        log_request(200, seconds, len(answer.body), _about(token, trace))
        return answer

    def _understand(self, asked: HotRequest, token: SentToken, body: bytes) -> Understood | None:
        """The command, if it is one, and one of a seat that this process knows.

        Raises:
            Problem, marshmallow.ValidationError: it is none.
        """
        if token.kind != "seat" or len(body) > LARGEST_BODY:
            return None
        field = token_field(token.text, token.digest)
        seat = self._services.game_access.remembered_seat(asked.game, field)
        if seat is None:
            return None
        value, command = _read_often(body) if len(body) <= SHORT_BODY else _read(body)
        if command is None or isinstance(command, _LONG):
            return None
        fingerprint = fingerprint_of("POST", asked.path, value)
        return Understood(command, fingerprint, read_expected_version(asked.header(b"if-match")), seat, field)

    async def _take(self, asked: HotRequest, token: SentToken, size: int) -> Taken | None:
        """What this takes of its quota; None where there are no quotas, or they cannot be counted."""
        rates = self._limits.rates
        if rates is None:
            return None
        counted = ("commands", *self._limits.subject(token, asked.address), cost_of(size))
        taken = rates.take_leased(*counted)
        if taken is None:
            taken = await self._store.wait_for(partial(rates.take, *counted))
            if taken is None:
                self._limits.metrics.unlimited.inc()
        return taken

    async def _apply(self, game: str, understood: Understood, request_id: str) -> Outcome:
        """Apply it.

        Raises:
            Refused, HiddenInformationRevealed, Stale, TooBusy, StoreError
        """
        request = Request(
            understood.seat,
            (understood.command,),
            now_milliseconds(),
            request_id,
            understood.fingerprint,
            understood.expected,
            required={understood.field: str(understood.seat)},
        )
        handling = self._services.handling
        outcome = await complete_in_loop(handling.steps(game, request), self._store)
        handling.count(request, outcome)
        return outcome

    def _form(
        self, asked: HotRequest, seat: int, outcome: Outcome, taken: Taken | None, trace: Trace
    ) -> ShortAnswer:
        """The answer."""
        body = msgspec.json.encode(self._body(asked.game, seat, outcome))
        headers = [
            *self._always,
            *headers_for(*outcome.head).items(),
            ("X-Request-Id", trace.request_id),
            *cross_origin_headers(self.settings.cors_origins, asked.header(b"origin")),
            ("Content-Length", str(len(body))),
        ]
        if taken is not None:
            headers += rate_headers("commands", taken)
        if outcome.duplicate:
            headers.append(("Idempotent-Replayed", "true"))
        return ShortAnswer(headers, body)

    def _body(self, game: str, seat: int, outcome: Outcome) -> dict[str, Any]:
        """What the answer says."""
        return command_answer(game, seat, outcome)


def _read(body: bytes) -> tuple[Any, Command | None]:
    """A body as a JSON value, and the one command that it is, if it is one.

    Raises:
        Problem, marshmallow.ValidationError: it is none.
    """
    value = decode_json(body)
    return value, load_command(value) if isinstance(value, dict) else None


_read_often = lru_cache(maxsize=4096)(_read)


def _about(token: SentToken, trace: Trace) -> dict[str, str]:
    """What the log says of the request besides numbers."""
    about = {"method": "POST", "route": ROUTE, "request_id": trace.request_id}
    if trace.trace_id is not None:
        about["trace_id"] = trace.trace_id
    return about | {"caller": f"{token.kind}:{token.digest[:8]}"}
