"""The application: wiring, nothing else."""

from flask import Flask, Response
from flask_smorest import Api

from events.redis_store import RedisEventStore
from service.catalogues import Catalogues
from service.http import (
    commands,
    events,
    games,
    health,
    pages,
    records,
    reference_page,
    systems,
    transparency,
    verifications,
)
from service.http.contract import API_SETTINGS, complete_contract
from service.http.contract_details import detail_contract
from service.http.problems import register_problems
from service.http.reading import LARGEST_BODY
from service.http.schemas.answers import ProblemAnswer
from service.http.services import EXTENSION, make_services
from service.signing_keys import SigningKeys


class FieldbookApi(Api):
    """flask-smorest with our shape of errors."""

    ERROR_SCHEMA = ProblemAnswer

    def _register_error_handlers(self) -> None:
        """Leave errors to `register_problems`."""


def create_app(
    store: RedisEventStore,
    durability: str,
    signing_keys: SigningKeys,
    catalogues: Catalogues | None = None,
) -> Flask:
    """The HTTP application on a store that is held at this level of durability; None for the shipped catalogues."""
    app = Flask(__name__, static_folder=None)
    app.config.update(API_SETTINGS, MAX_CONTENT_LENGTH=LARGEST_BODY + 1, PROVIDE_AUTOMATIC_OPTIONS=False)
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.extensions[EXTENSION] = make_services(store, durability, signing_keys, catalogues or Catalogues())
    register_resources(app)
    register_problems(app)
    app.after_request(_safe)
    return app


def register_resources(app: Flask) -> Api:
    """Put every resource into the application and its contract."""
    api = FieldbookApi(app)
    for module in (systems, games, commands, events, records, transparency, verifications):
        api.register_blueprint(module.blueprint)
    complete_contract(api)
    detail_contract(api)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(reference_page.blueprint)
    return api


def _safe(response: Response) -> Response:
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    return response
