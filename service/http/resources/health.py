"""Whether the service lives, and whether it can do its work."""

from flask import Blueprint, Response

from service.http.context.services import services
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Say that this process answers."""
    return json_response({"status": "alive"})


@blueprint.get("/readyz")
def readyz() -> Response:
    """Say whether commands can be appended, how durable that is, and how far the projections are behind."""
    found = services()
    reason, document = found.readiness.look()
    if reason is not None:
        raise Problem(503, "not_ready", reason, headers={"Retry-After": "2"})
    return json_response({**document, "streams": found.streams.open + found.notifier.waiting})
