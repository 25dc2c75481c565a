"""Long requests: they fold or draw whole games or tournaments and change nothing. Routing decides which they are."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_to_bytes

from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header
from werkzeug.routing import Map, Rule

from service.http.messages.event_forms import EVENT_STREAM, preferred_form

_EVENTS: Final = ("GET", "/v1/games/<string:game>/events")
_LONG: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("GET", "/v1/games/<string:game>/record"): frozenset(),
    ("GET", "/v1/games/<string:game>/history"): frozenset(),
    ("GET", "/v1/games/<string:game>/take-backs"): frozenset(),
    ("GET", "/v1/games/<string:game>/disputes/<string:dispute>/evidence-pack"): frozenset(),
    ("GET", "/games/<string:game>/page.html"): frozenset(),
    ("GET", "/v1/exports/games"): frozenset(),
    ("GET", "/v1/dataset"): frozenset(),
    ("GET", "/v1/tournaments/<string:tournament>"): frozenset(),
    ("GET", "/v1/tournaments/<string:tournament>/log"): frozenset(),
    ("POST", "/v1/games/<string:game>/branches"): frozenset(),
    ("POST", "/v1/verifications"): frozenset(),
    ("GET", "/v1/games/<string:game>"): frozenset({"at"}),
    ("GET", "/v1/games/<string:game>/scene"): frozenset({"at", "knowledge"}),
    _EVENTS: frozenset({"text"}),
    ("GET", "/v1/games/<string:game>/annotations"): frozenset({"text"}),
}
"""Long requests by method and route. With parameters, only requests whose query has one of them are long."""
_ROUTER: Final = Map(
    [Rule(route, endpoint=(method, route), methods=[method]) for method, route in _LONG],
    strict_slashes=False,
    merge_slashes=False,
).bind("localhost")


def takes_long(scope: Mapping[str, Any]) -> bool:
    """Return whether the request that this ASGI scope describes belongs behind the bulkhead.

    Path and query are decoded as the application decodes them. A stream stays in front, where it waits at no cost.
    """
    try:
        place, _ = _ROUTER.match(routed_path(scope["raw_path"]), scope["method"])
    except HTTPException:
        return False
    parameters = _LONG[place]
    if not parameters:
        return True
    query = parse_qsl(scope["query_string"].decode(errors="replace"), keep_blank_values=True)
    if parameters.isdisjoint(name for name, _ in query):
        return False
    return place != _EVENTS or not _prefers_stream(scope["headers"])


def _prefers_stream(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    accepted = b",".join(value for name, value in headers if name == b"accept").decode("latin-1")
    return preferred_form(parse_accept_header(accepted, MIMEAccept)) == EVENT_STREAM


def routed_path(raw_path: bytes) -> str:
    """Return a request's path as the application's router reads it."""
    return unquote_to_bytes(raw_path).decode(errors="replace")
