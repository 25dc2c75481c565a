"""Where a request comes from when proxies stand in front of the service."""

import logging
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

_log = logging.getLogger("fieldbook.http")


def behind_proxies(app: Flask, trusted: int) -> None:
    """Take the caller's address, scheme and host from what so many trusted proxies say.

    With none, what a client says about itself is not believed; that a proxy seems to be there is said once.
    """
    inner = app.wsgi_app
    if trusted:
        app.wsgi_app = ProxyFix(inner, x_for=trusted, x_proto=trusted, x_host=trusted)  # type: ignore[method-assign]
    else:
        app.wsgi_app = _Unproxied(inner)  # type: ignore[method-assign]


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
