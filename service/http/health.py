"""Whether the service lives, and whether it can do its work."""

from flask import Blueprint, Response

from events.store_errors import StoreError
from service.durability_held import StoreState, store_state
from service.http.bodies import json_response
from service.http.problems import Problem
from service.http.services import services
from service.progress import projection_progress

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Say that this process answers."""
    return json_response({"status": "alive"})


@blueprint.get("/readyz")
def readyz() -> Response:
    """Say whether commands can be appended, how durable that is, and how far the projections are behind."""
    found = services()
    try:
        state = store_state(found.store, found.durability)
        progress = projection_progress(found.store)
    except StoreError as error:
        raise Problem(
            503, "not_ready", f"The log's store does not answer: {error}", headers={"Retry-After": "2"}
        ) from error
    if state.status == "unavailable":
        detail = "Every partition is quarantined: nothing can be appended. See `fieldbook partitions`."
        raise Problem(503, "not_ready", detail, headers={"Retry-After": "30"}, quarantined=_told(state))
    return json_response(
        {
            "status": state.status,
            "durability": state.declared,
            "durability_held": state.held,
            "store_settings": state.settings,
            "partitions": found.store.partitions,
            "quarantined": _told(state),
            "projection_lag": sum(each.lag for each in progress),
            "projection_stopped": [each.partition for each in progress if each.is_ahead],
            "quarantined_games": sum(each.quarantined for each in progress),
            "streams": found.streams.open,
        }
    )


def _told(state: StoreState) -> list[dict[str, int | str]]:
    return [{"partition": partition, "reason": reason} for partition, reason in state.quarantined.items()]
