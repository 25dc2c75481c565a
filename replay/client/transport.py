"""Requests that are sent until they are answered.

A request without an answer may have counted or not; sent again with the same Idempotency-Key it gets the answer that
it would have had, and counts once. So every request with a key, and every GET, is repeated after a broken
connection, and after 429, 502, 503 and 504 when the service's `Retry-After` has passed. A service that has answered
before may start again, so that it refuses connections for a while passes too; where nobody has ever answered, the
address is wrong, and that is said at once.
"""

import copy
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import (
    BadStatusLine,
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
    RemoteDisconnected,
)
from random import SystemRandom
from socket import gaierror
from ssl import SSLError
from threading import Event, local
from typing import Any, Final, Self, TypeVar
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import msgspec

from replay.client.answers import Page
from replay.client.problems import NotTheService, Problem, Unreachable, describe_answer, parse_problem
from replay.platform.safe_text import reason_of
from replay.platform.whole_numbers import is_whole

TRY_AGAIN: Final = frozenset({429, 502, 503, 504})
WITHOUT_CONTENT: Final = frozenset({204, 304})
IN_FLIGHT: Final = "idempotency_key_in_flight"
"""The code of 409 while an earlier request with the same key is still worked on."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 5.0
_chance = SystemRandom()
_Read = TypeVar("_Read")
_Page = TypeVar("_Page", bound=Page)


@dataclass(frozen=True)
class Reply:
    """An answer that is no error; names of headers in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _Plain(HTTPConnection):
    """A connection over HTTP that is closed when its thread, or the client, is gone."""

    def __del__(self) -> None:
        self.close()


class _Secure(HTTPSConnection):
    """The same over HTTPS."""

    def __del__(self) -> None:
        self.close()


class Transport:
    """The connection to a service: one per thread, opened when needed, kept while it works."""

    def __init__(
        self, address: str, token: str | None, *, patience: float, timeout: float, most: int | None = None
    ) -> None:
        """`patience` is how many seconds a request is repeated, `timeout` how many one try may be silent.

        `most` bytes of an answer are read; a longer one is a Problem.
        """
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(f"{address!r} is no address such as http://localhost:8000")
        self.address = address
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._base = parts.path.rstrip("/")
        self._headers = {"User-Agent": "fieldbook-client", "Accept": "application/json"}
        self._set_token(token)
        self._patience = patience
        self._timeout = timeout
        self._most = most
        self._kept = local()
        self._reached = Event()
        """Set once something has answered at the address."""

    def bearing(self, token: str | None) -> Self:
        """The same service, asked with another token, over connections of its own."""
        other = copy.copy(self)
        other._headers, other._kept = dict(self._headers), local()  # noqa: SLF001 - another of us
        other._set_token(token)  # noqa: SLF001
        return other

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send a request until it is answered.

        Raises:
            Problem: the service answered with one; Unreachable where it did not answer for too long, or where nobody
                listens at the address and nobody ever did.
        """
        sent = {**self._headers, **(headers or {})}
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        may_repeat = method == "GET" or "Idempotency-Key" in sent
        deadline, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while True:
            try:
                reply = self._once(method, path, body, sent)
            except (OSError, HTTPException, UnicodeError) as error:
                problem: Problem = Unreachable(
                    0, "no_answer", reason_of(error) or type(error).__name__, address=self.address
                )
                if not self._reached.is_set() and _is_wrong_address(error):
                    raise problem from error
                asked = 0.0
            else:
                self._reached.set()
                if reply.status < 400:  # noqa: PLR2004 - where errors begin
                    return self._unless_redirected(reply)
                problem = parse_problem(reply.status, reply.headers, reply.body, self.address)
                if reply.status not in TRY_AGAIN and problem.code != IN_FLIGHT:
                    raise problem
                asked = _seconds(reply.headers.get("retry-after", ""))
            waiting = max(asked, _chance.uniform(pause / 2, pause))
            if not may_repeat or time.monotonic() + waiting > deadline:
                raise Unreachable(
                    problem.status, problem.code, problem.detail, problem.members, address=self.address
                ) from problem
            time.sleep(waiting)
            pause = min(2 * pause, LONGEST_PAUSE)

    def send(
        self, method: str, path: str, kind: type[_Read], value: Any = None, key: str | None = None
    ) -> _Read:
        """Send a value as JSON so that it counts once; may raise a Problem, as all here that asks the service."""
        body = None if value is None else msgspec.json.encode(value)
        return self.decode(self.request(method, path, body, once(key)), kind)

    def read(self, path: str, kind: type[_Read], /, **query: str | int | None) -> _Read:
        """What stands at a path; what is None in the query is not asked for."""
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return self.decode(self.request("GET", f"{path}?{asked}" if asked else path), kind)

    def decode(self, reply: Reply, kind: type[_Read]) -> _Read:
        """Return the value in an answer.

        Raises:
            NotTheService: the content is not what the service sends.
        """
        try:
            return msgspec.json.decode(reply.body, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self.unexpected(reply, f"which cannot be read: {error}") from error

    def fetch(self, path: str, media_type: str) -> bytes:
        """Return the content at a path, which must be of this media type.

        Raises:
            NotTheService: something else is sent.
        """
        reply = self.request("GET", path, headers={"Accept": media_type})
        if reply.headers.get("content-type", "").partition(";")[0].strip().lower() != media_type:
            raise self.unexpected(reply, f"not {media_type}")
        return reply.body

    def unexpected(self, reply: Reply, reason: str) -> NotTheService:
        """Return the problem that an answer is not what the service sends."""
        detail = f"{describe_answer(reply.status, reply.headers, reply.body)}, {reason}"
        return NotTheService(reply.status, "unreadable", detail, address=self.address)

    def _unless_redirected(self, reply: Reply) -> Reply:
        """Return an answer that is no redirect; the token goes to no other address than the one that was named."""
        if reply.status < 300:  # noqa: PLR2004 - where redirects begin
            return reply
        place = reply.headers.get("location", "no other address")
        detail = (
            f"{reply.status} and points to {place}, where no request is sent: name the address of the service"
        )
        raise NotTheService(reply.status, "redirected", detail, address=self.address)

    def pages(
        self, path: str, kind: type[_Page], query: Mapping[str, str | int | None], cursor: str = "cursor"
    ) -> Iterator[_Page]:
        """Page after page; `cursor` is what the query calls the place where the next one begins."""
        page = self.read(path, kind, **query)
        yield page
        while page.next is not None:
            page = self.read(path, kind, **{**query, cursor: page.next})
            yield page

    def close(self) -> None:
        """Close this thread's connection; the next request opens another."""
        connection: HTTPConnection | None = getattr(self._kept, "connection", None)
        if connection is not None:
            self._kept.connection = None
            with suppress(OSError):
                connection.close()

    def _set_token(self, token: str | None) -> None:
        self._headers.pop("Authorization", None)
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        connection = self._connection()
        try:
            connection.request(method, self._base + path, body, dict(headers))
            # An answer that is not read to its end holds the socket when its connection has been closed.
            with closing(connection.getresponse()) as answer:
                content = self._content(answer)
        except BaseException:
            self.close()
            raise
        return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)

    def _content(self, answer: HTTPResponse) -> bytes:
        content = answer.read(None if self._most is None else self._most + 1)
        if self._most is not None and len(content) > self._most:
            detail = f"The answer is larger than {self._most} bytes."
            raise Problem(answer.status, "too_large", detail, address=self.address)
        if answer.length:  # asked for at most so many bytes, http.client does not say that some are missing
            raise IncompleteRead(content, answer.length)
        has_length = answer.chunked or answer.getheader("Content-Length") is not None
        if not content and not has_length and answer.status not in WITHOUT_CONTENT:
            # http.client takes a head that was cut off for a whole one.
            raise IncompleteRead(content)
        return content

    def _connection(self) -> HTTPConnection:
        connection: HTTPConnection | None = getattr(self._kept, "connection", None)
        if connection is None:
            kind = _Secure if self._secure else _Plain
            connection = self._kept.connection = kind(self._host, self._port, timeout=self._timeout)
        return connection


def _is_wrong_address(error: Exception) -> bool:
    """Return whether an error says that no Fieldbook service is at the address, so that waiting does not help."""
    if isinstance(error, ConnectionRefusedError | gaierror | UnicodeError | SSLError):
        return True
    # Another protocol, such as TLS; a connection that closes before or within the status line may be a restart.
    return (
        isinstance(error, BadStatusLine)
        and not isinstance(error, RemoteDisconnected)
        and str(error)[:4] != "HTTP"[: len(str(error))]
    )


def once(key: str | None = None) -> dict[str, str]:
    """The header by which a request counts once, however often it is sent."""
    return {"Idempotency-Key": f'"{key or uuid4().hex}"'}


def _seconds(retry_after: str) -> float:
    """The seconds that `Retry-After` asks for; a date, which our service never sends, counts as none."""
    return float(retry_after) if is_whole(retry_after) else 0.0
