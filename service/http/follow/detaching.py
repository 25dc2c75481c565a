"""What the server offers with a request: to send a stream without a thread, and to tell whether its client is there.

A view that answers with a stream accepts the offer. Where nothing is offered, as under a test's client, the stream is
pulled out of its answer as of any other.
"""

from collections.abc import Callable
from typing import Final

from flask import Flask, request

from service.http.context.services import EXTENSION, Services
from service.http.push.outbox import Outbox

OFFER: Final = "fieldbook.offer"
"""The key of the offer in a request's WSGI environment."""
IS_GONE: Final = "fieldbook.is_gone"
"""The key of what tells whether the client has closed its connection."""


class Offer:
    """That the answer to a request can be sent from an outbox."""

    def __init__(self) -> None:
        """Nobody has accepted yet."""
        self.outbox: Outbox | None = None
        """What is to be sent over the connection, where it was accepted."""


def accept_offer(outbox: Outbox) -> None:
    """Have the answer to this request sent from an outbox, if the server has offered that."""
    offer: Offer | None = request.environ.get(OFFER)
    if offer is not None:
        offer.outbox = outbox


def watch_client() -> Callable[[], bool]:
    """What tells whether the client of this request has left; never where the server does not say."""
    is_gone: Callable[[], bool] = request.environ.get(IS_GONE, lambda: False)
    return is_gone


def end_streams(application: Flask) -> None:
    """End all streams of an application: it is about to stop."""
    found: Services = application.extensions[EXTENSION]
    found.streams.end()
