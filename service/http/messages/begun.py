"""What has been done for a request before it came to Flask: the short way has given it up, or it has waited."""

from typing import Final, NamedTuple

from service.access.rate_limits import Taken
from service.telemetry.spans import Span

BEGUN: Final = "fieldbook.begun"
"""Its key in the request's WSGI environment."""


class Begun(NamedTuple):
    """What must not be done twice."""

    request_id: str = ""
    """Its id: what was appended under it is recognised; empty where it has none yet."""
    taken: Taken | None = None
    """What it took of its quota; None where it took nothing yet."""
    waited: float = 0.0
    """Seconds for which the store was waited for in vain."""
    since: float | None = None
    """When it began, of the clock `time.perf_counter`."""
    places: tuple[str, ...] = ()
    """The shares of streams and long polls of which it has a place."""
    span: Span | None = None
    """What is recorded of it; whoever answers ends it."""
