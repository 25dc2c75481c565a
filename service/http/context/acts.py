"""Writing down what keys with special rights do."""

from service.access.audit_log import Act
from service.access.keys import Key
from service.http.context.services import services
from service.platform.clock import now_milliseconds
from service.platform.tracing import current_trace


def note(key: Key, what: str, about: str, detail: str = "") -> None:
    """Write down an act of this request, before it is done.

    Raises:
        StoreUnavailable
    """
    services().acts.record(_act(key, what, about, detail))


def note_look(key: Key, game: str, viewer: str) -> None:
    """Write down that hidden cards of a running game are looked at.

    Raises:
        StoreUnavailable
    """
    services().acts.record_look(_act(key, "hidden_cards_seen", game, viewer))


def _act(key: Key, what: str, about: str, detail: str) -> Act:
    trace = current_trace()
    request_id = trace.request_id if trace is not None else ""
    return Act(at=now_milliseconds(), who=key.id, what=what, about=about, detail=detail, request=request_id)
