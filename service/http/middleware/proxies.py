"""Where a request comes from when proxies stand in front of the service."""

import ipaddress
import logging
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_MAX_ADDRESS_LENGTH: Final = 100
"""Characters of an address with port, zone, brackets and quotes; a longer text is not an address."""
_MAX_PORT_DIGITS: Final = 5
_BLANKS: Final = " \t"
_IDENTIFIER_LENGTH: Final = 32
"""Hexadecimal digits that stand for an invalid entry."""
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
"""Addresses of IPv4 as they appear behind a translator (RFC 6052)."""
_log = logging.getLogger("fieldbook.http")


def behind_proxies(app: Flask, trusted: int) -> None:
    """Take the caller's address, scheme and host from what so many trusted proxies say.

    With none, what a client says about itself is not believed; that a proxy seems to be there is said once.
    """
    inner = app.wsgi_app
    if trusted:
        fixed = ProxyFix(inner, x_for=0, x_proto=trusted, x_host=trusted)

        def proxied(environ: dict[str, Any], start_response: Any) -> Any:
            forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
            environ["REMOTE_ADDR"] = client_address(environ.get("REMOTE_ADDR", ""), forwarded, trusted)
            return fixed(environ, start_response)

        app.wsgi_app = proxied  # type: ignore[method-assign]
    else:
        app.wsgi_app = _Unproxied(inner)  # type: ignore[method-assign]


def client_address(peer: str, forwarded: str, trusted: int) -> str:
    """Return the address of a request's client, given `X-Forwarded-For` and the number of trusted proxies.

    Entries are counted from the last one, so no client can move the one that a trusted proxy wrote. For an invalid
    entry the result is an identifier derived from its text, because clients behind the proxy must not share the
    proxy's address. Without an entry the result is the address of the peer.
    """
    entries = forwarded.split(",")
    entry = entries[-trusted].strip(_BLANKS) if 0 < trusted <= len(entries) else ""
    if not entry:
        return peer
    found = parse_address(entry)
    return f"_{sha256(entry.encode()).hexdigest()[:_IDENTIFIER_LENGTH]}" if found is None else str(found)


def parse_address(text: str) -> Address | None:
    """Return the address that a socket or a proxy has written, without port and zone; None if it is invalid.

    Proxies write an address alone, with a port, in brackets or in quotes (RFC 7239, section 6). An IPv4 address
    written as IPv6 is returned as IPv4. The event loop calls this, so the work is linear in the length of the text.
    """
    text = text.strip(_BLANKS)
    if len(text) > _MAX_ADDRESS_LENGTH:
        return None
    host = _without_port(text.removeprefix('"').removesuffix('"'))
    if host is None:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return ipaddress.IPv4Address(address.packed[-4:])
    return address


def _without_port(text: str) -> str | None:
    """Return the host of `host`, `host:port`, `[host]` or `[host]:port`; None if brackets or port are invalid."""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        return host if bracket and (not rest or _is_port(rest)) else None
    # IPv6 addresses have two colons or more.
    host, colon, port = text.partition(":")
    if not colon or ":" in port:
        return text
    return host if _is_port(colon + port) else None


def _is_port(text: str) -> bool:
    digits = text[1:]
    return text[0] == ":" and digits.isascii() and digits.isdigit() and len(digits) <= _MAX_PORT_DIGITS


class _Unproxied:
    """Says once that requests seem to come through a proxy which nobody told us to trust."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self._inner = inner
        self._said = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if not self._said and "HTTP_X_FORWARDED_FOR" in environ:
            self._said = True
            _log.warning(
                "requests come through a proxy, all from its one address: set FIELDBOOK_TRUSTED_PROXIES"
            )
        return self._inner(environ, start_response)
