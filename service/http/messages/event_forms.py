"""The media types of a game's events, and which of them a request prefers."""

from typing import Final

from werkzeug.datastructures import MIMEAccept

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
EVENT_STREAM: Final = "text/event-stream"


def preferred_form(accepted: MIMEAccept) -> str:
    """Return the media type of the events that answer this `Accept` header."""
    return accepted.best_match((JSON, NDJSON, EVENT_STREAM), JSON)
