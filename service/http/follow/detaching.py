"""Handing a connection over: the server's thread is free again, and the stream goes on without it.

The server offers it with each request that it could hand over; a view that answers with a stream accepts. Where
nothing is offered, as under a test's client, the server pulls the stream out of its answer as of any other.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from flask import Flask, request
from gunicorn.http.wsgi import Response
from werkzeug.wsgi import ClosingIterator

from service.http.context.services import EXTENSION, Services
from service.http.push.outbox import Outbox

OFFER: Final = "fieldbook.handing_over"
"""The key of the offer in a request's WSGI environment."""


class ConnectionDetached(BaseException):
    """The connection is not the server's any more; no Exception, on which gunicorn would close it."""


class Offer:
    """That the connection of a request can be handed over."""

    def __init__(self) -> None:
        """Nobody has accepted yet."""
        self.outbox: Outbox | None = None
        """What is to be sent over the connection, where it was accepted."""


def accept_offer(outbox: Outbox) -> None:
    """Have the answer to this request sent from an outbox, if the server has offered that."""
    offer: Offer | None = request.environ.get(OFFER)
    if offer is not None:
        offer.outbox = outbox


def offering(application: Flask) -> Callable[[dict[str, Any], Any], Iterable[bytes]]:
    """The application, for gunicorn: with every request over HTTP/1 the connection is offered."""

    def answered(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        response = start_response.__self__
        if type(response) is not Response:
            return application(environ, start_response)
        environ[OFFER] = offer = Offer()
        answer = application(environ, start_response)
        if offer.outbox is None:
            return answer
        close = ClosingIterator(answer).close
        try:
            response.force_close()
            response.send_headers()
        except BaseException:
            close()
            raise
        found: Services = application.extensions[EXTENSION]
        found.streams.hand_over(environ["gunicorn.socket"], offer.outbox, close, is_chunked=response.chunked)
        raise ConnectionDetached

    return answered


def end_streams(application: Flask) -> None:
    """End all streams of an application: it is about to stop."""
    found: Services = application.extensions[EXTENSION]
    found.streams.end()
