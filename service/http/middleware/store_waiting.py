"""No request waits long for a store that is silent, whatever it asks it for and however often."""

from typing import Final

from flask import Flask, request

from events.store.waiting import bound_waiting
from service.http.messages.begun import BEGUN, Begun

STORE_SECONDS: Final = 2.5
"""How long a request waits for the store in vain: longer than a replica may take, so short that clients are told."""


def bound_store_waiting(app: Flask) -> None:
    """Bound the waiting of all requests of an application; whoever follows a game waits for news, not for this."""

    def bound() -> None:
        begun: Begun | None = request.environ.get(BEGUN)
        bound_waiting(STORE_SECONDS - (begun.waited if begun is not None else 0.0))

    app.before_request_funcs.setdefault(None, []).insert(0, bound)
    app.teardown_request(lambda _error: bound_waiting())
