"""No request waits long for a store that is silent, whatever it asks it for and however often."""

import time
from math import inf
from typing import Final

from flask import Flask, g, request

from events.store.waiting import bound_waiting, waiting_left
from service.http.messages.begun import BEGUN, Begun
from service.storage.partition_pauses import RETRY_SECONDS

STORE_SECONDS: Final = 2.5
"""How long a request waits for the store in vain: longer than a replica may take, so short that clients are told."""
ARRIVED: Final = "fieldbook.arrived"
"""Key in the WSGI environment: when the request arrived, in seconds of the monotonic clock."""


def bound_store_waiting(app: Flask) -> None:
    """Bound the time that each request of an application waits for the store.

    A request that was queued while another one found the store silent waits only a moment more. Following a game is
    not bounded: that is waiting for news.
    """
    silent_at = -inf

    def bound() -> None:
        begun: Begun | None = request.environ.get(BEGUN)
        left = STORE_SECONDS - (begun.waited if begun is not None else 0.0)
        was_queued = request.environ.get(ARRIVED, inf) < silent_at
        g.store_seconds = min(left, RETRY_SECONDS) if was_queued else left
        bound_waiting(g.store_seconds)

    def end(_error: BaseException | None) -> None:
        nonlocal silent_at
        # A short wait proves nothing about the store, so it shortens no other one.
        if waiting_left() <= 0 and g.get("store_seconds", 0.0) > RETRY_SECONDS:
            silent_at = time.monotonic()
        bound_waiting()

    app.before_request_funcs.setdefault(None, []).insert(0, bound)
    app.teardown_request(end)
