"""`GET /metrics`: Prometheus text, for whoever operates the service. A proxy should not pass it on."""

from flask import Blueprint, Response, current_app
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from service.operations.store_metrics import StoreMetrics
from service.platform.metrics import Metrics

blueprint = Blueprint("metrics", __name__)
EXTENSION = "fieldbook-metrics"


@blueprint.get("/metrics")
def metrics() -> Response:
    """Everything that was counted and that can be asked for now."""
    counted: Metrics
    asked: StoreMetrics
    counted, asked = current_app.extensions[EXTENSION]
    return Response(generate_latest(counted.registry(asked)), content_type=CONTENT_TYPE_PLAIN_0_0_4)
