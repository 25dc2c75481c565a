"""A request on its way: from its headers to its answer."""

import time
from typing import TYPE_CHECKING, Any, Protocol

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from service.server.incoming_body import IncomingBody

if TYPE_CHECKING:
    from service.server.web_connection import BoundedConnection


class Arrival:
    """A request, as it arrives and as it is answered."""

    def __init__(
        self, connection: "BoundedConnection", cycle: RequestResponseCycle, length: int | None
    ) -> None:
        """Begin with its headers; its body has so many bytes, if that is known."""
        self.at = time.monotonic()
        self.connection = connection
        self.cycle = cycle
        self.scope: dict[str, Any] = cycle.scope  # type: ignore[assignment]
        self.body = IncomingBody(self.scope["raw_path"], length, connection.network)
        self.is_its_turn = False
        """Whether those that came before it on the connection are answered."""

    def find_room(self) -> bool:
        """Take room for its body, if that is on its way; False where there is none, and nothing more is read then."""
        return not self.cycle.more_body or self.body.make_room()


class Answering(Protocol):
    """What answers requests."""

    def begin(self, arrived: Arrival) -> None:
        """Answer a request that is there whole."""


def is_answered(cycle: RequestResponseCycle | None) -> bool:
    """Whether a connection's request has its answer, or there was none."""
    return cycle is None or cycle.response_complete
