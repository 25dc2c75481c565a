"""Which requests may go the short way: a seat's command, its table, or what is legal, asked for in the usual form."""

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from service.http.context.cursors import Cursor, cursor_in
from service.http.middleware.proxies import client_address
from service.http.schemas.queries import LONGEST_WAIT

Kind = Literal["send", "legal", "table"]
_PATH: Final = re.compile(rb"/v1/games/([A-Za-z0-9_-]{1,64})(/commands)?")
_AFTER: Final = re.compile(r"after=([0-9]{1,15}(?:-[0-9a-f]{8})?)(?:&wait=([0-9]{1,2}))?")
_NO_QUERY: Final = (None, None)
_JSON: Final = frozenset({b"application/json", b"application/json; charset=utf-8"})
_ACCEPTED: Final = frozenset({b"*/*", b"application/json"})
_READ: Final = frozenset(
    {
        b"accept", b"authorization", b"content-encoding", b"content-length", b"content-type", b"idempotency-key",
        b"if-match", b"if-none-match", b"origin", b"traceparent", b"x-forwarded-for", b"x-request-id",
    }
)  # fmt: skip
"""The headers that decide about an answer here; no other one is looked at on either way."""


class HotRequest(NamedTuple):
    """A request that may go the short way."""

    kind: Kind
    game: str
    path: str
    headers: Mapping[bytes, bytes]
    """Those that matter, each of which was there once."""
    address: str
    """From where it comes."""
    after: Cursor | None = None
    """The version that whoever looks knows."""
    wait: int | None = None
    """Seconds for which it is waited for a later one; None where that is not said."""

    def header(self, name: bytes) -> str | None:
        """What a header says, if it is there."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1").strip(" \t")


def recognize(scope: Mapping[str, Any], trusted_proxies: int) -> HotRequest | None:
    """The request that a scope of ASGI describes; None for one that has to go the long way.

    It has to where it asks for more than to apply a command, or to look at the newest table or at what is legal
    there, or says something in another way than usual.
    """
    found = _PATH.fullmatch(scope["raw_path"])
    if found is None:
        return None
    kind = _kind(scope["method"], is_commands=found[2] is not None)
    query = _read_query(scope["query_string"].decode("latin-1"))
    headers = _read_headers(scope["headers"])
    if kind is None or query is None or headers is None or headers.get(b"accept", b"*/*") not in _ACCEPTED:
        return None
    client = scope["client"]
    forwarded = headers.get(b"x-forwarded-for")
    if forwarded is not None and not trusted_proxies:
        # The long way logs a warning.
        return None
    if not (_is_plain_command(query, headers) if kind == "send" else _is_plain_look(headers)):
        return None
    address = client_address(
        client[0] if client else "", (forwarded or b"").decode("latin-1"), trusted_proxies
    )
    return HotRequest(kind, found[1].decode(), found[0].decode(), headers, address, *query)


def _is_plain_command(query: object, headers: Mapping[bytes, bytes]) -> bool:
    has_json = headers.get(b"content-type", b"").lower() in _JSON and b"content-encoding" not in headers
    return has_json and query == _NO_QUERY


def _is_plain_look(headers: Mapping[bytes, bytes]) -> bool:
    return b"if-none-match" not in headers


def _kind(method: str, *, is_commands: bool) -> Kind | None:
    if method == "POST":
        return "send" if is_commands else None
    if method == "GET":
        return "legal" if is_commands else "table"
    return None


def _read_query(text: str) -> tuple[Cursor | None, int | None] | None:
    """What a query says about a version that is known and about waiting; None for one that says anything else."""
    if not text:
        return _NO_QUERY
    found = _AFTER.fullmatch(text)
    if found is None:
        return None
    wait = None if found[2] is None else int(found[2])
    return None if wait is not None and wait > LONGEST_WAIT else (cursor_in(found[1]), wait)


def _read_headers(sent: list[tuple[bytes, bytes]]) -> dict[bytes, bytes] | None:
    """The headers that matter; None where one of them is there twice."""
    headers: dict[bytes, bytes] = {}
    for name, value in sent:
        if name in _READ:
            if name in headers:
                return None
            headers[name] = value
    return headers
