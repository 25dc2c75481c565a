"""Where a request comes from when proxies stand in front of the service."""

import ipaddress
import logging
import re
from collections.abc import Callable
from typing import Any, Final

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_ENTRY: Final = re.compile(
    r'\s*"?(?:\[(?P<bracketed>[^\[\]]*)\](?::\d{1,5})?|(?P<ipv4>[\d.]+):\d{1,5}|(?P<bare>[^\[\]"]*?))"?\s*',
    re.ASCII,
)
"""An address as proxies write it: alone, with a port, in brackets, in quotes (RFC 7239, section 6)."""
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

    Entries are counted from the last one, so no client can move the one that a trusted proxy wrote. With an invalid
    entry the request counts for the address of the peer.
    """
    entries = forwarded.split(",")
    found = parse_address(entries[-trusted]) if 0 < trusted <= len(entries) else None
    return peer if found is None else str(found)


def parse_address(text: str) -> Address | None:
    """Return the address that a socket or a proxy has written, without port and zone; None if it is invalid.

    An IPv4 address written as IPv6 is returned as IPv4.
    """
    found = _ENTRY.fullmatch(text)
    if found is None:
        return None
    try:
        address = ipaddress.ip_address((found[found.lastgroup or "bare"]).partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return ipaddress.IPv4Address(address.packed[-4:])
    return address


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
