"""Which requests may go the short way: a seat's one command, sent as nearly everybody sends it."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_PATH: Final = re.compile(rb"/v1/games/([A-Za-z0-9_-]{1,64})/commands")
_JSON: Final = frozenset({b"application/json", b"application/json; charset=utf-8"})
_ACCEPTED: Final = frozenset({b"*/*", b"application/json"})
_READ: Final = frozenset(
    {
        b"accept", b"authorization", b"content-encoding", b"content-length", b"content-type", b"idempotency-key",
        b"if-match", b"origin", b"traceparent", b"x-forwarded-for", b"x-request-id",
    }
)  # fmt: skip
"""The headers that decide about an answer to a command; no other one is looked at on either way."""
_ADDRESS: Final = re.compile(r"[0-9A-Fa-f.:]+")


class HotRequest(NamedTuple):
    """A request that may go the short way."""

    game: str
    path: str
    headers: Mapping[bytes, bytes]
    """Those that matter, each of which was there once."""
    address: str
    """From where it comes."""

    def header(self, name: bytes) -> str | None:
        """What a header says, if it is there."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1").strip(" \t")


def recognize(scope: Mapping[str, Any], trusted_proxies: int) -> HotRequest | None:
    """The request that a scope of ASGI describes; None for one that has to go the long way.

    It has to where it asks for more than to apply a command, or says something in another way than usual.
    """
    if scope["method"] != "POST" or scope["query_string"]:
        return None
    found = _PATH.fullmatch(scope["raw_path"])
    if found is None:
        return None
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in _READ:
            if name in headers:
                return None
            headers[name] = value
    if (
        headers.get(b"content-type", b"").lower() not in _JSON
        or headers.get(b"accept", b"*/*") not in _ACCEPTED
        or b"content-encoding" in headers
    ):
        return None
    client = scope["client"]
    address = _address(client[0] if client else "", headers.get(b"x-forwarded-for"), trusted_proxies)
    if address is None:
        return None
    return HotRequest(found[1].decode(), found[0].decode(), headers, address)


def _address(peer: str, forwarded: bytes | None, trusted: int) -> str | None:
    """From where a request comes that so many proxies have passed on; None where the long way has to say."""
    if forwarded is None:
        return peer
    if not trusted:
        # It says so once in the log.
        return None
    told = [each.strip() for each in forwarded.decode("latin-1").split(",")]
    if not all(map(_ADDRESS.fullmatch, told)):
        return None
    return told[-trusted] if len(told) >= trusted else peer
