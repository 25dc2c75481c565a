"""The application: wiring, nothing else."""

from collections.abc import Callable
from typing import Any

from flask import Flask, request
from flask_smorest import Api
from werkzeug.exceptions import NotFound

from service.access.rate_limits import RateLimits
from service.access.store import RequestCounts
from service.catalogues.catalogues import Catalogues
from service.http.context.counting import Limits
from service.http.context.limits import limit_requests
from service.http.context.services import EXTENSION, SETTINGS, Services
from service.http.contract.accepting import acceptance
from service.http.contract.document import API_SETTINGS, Contract
from service.http.contract.document import EXTENSION as CONTRACT
from service.http.messages.caching import revalidate
from service.http.messages.problems import register_problems
from service.http.messages.reading import LARGEST_BODY
from service.http.middleware.cors import allow_origins
from service.http.middleware.observing import observe
from service.http.middleware.proxies import behind_proxies
from service.http.middleware.security_headers import add_security_headers
from service.http.middleware.store_waiting import bound_store_waiting
from service.http.resources import (
    dataset,
    dispute_queue,
    exports,
    exposition,
    health,
    keys,
    operator_acts,
    pages,
    players,
    ratings,
    reference_page,
    reservations,
    systems,
    tournaments,
    transparency,
    verifications,
    webhooks,
)
from service.http.resources.game import (
    annotations,
    branches,
    commands,
    disputes,
    events,
    evidence_packs,
    expiries,
    game_tokens,
    games,
    histories,
    records,
    rematches,
    scenes,
    take_backs,
    tickets,
)
from service.operations.readiness import Readiness
from service.operations.store_metrics import StoreMetrics
from service.platform.metrics import Metrics
from service.startup.web_settings import WebSettings
from service.storage.store import Store
from service.verification.signing_keys import SigningKeys


class Application(Flask):
    """Flask, without looking at each call whether a function is a coroutine: none is here."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself."""
        return func


class FieldbookApi(Api):
    """flask-smorest with our shape of errors."""

    ERROR_SCHEMA = "ProblemAnswer"

    def _register_error_handlers(self) -> None:
        """Leave errors to `register_problems`."""


def create_app(
    store: Store,
    durability: str,
    signing_keys: SigningKeys,
    catalogues: Catalogues | None = None,
    *,
    settings: WebSettings | None = None,
    metrics: Metrics | None = None,
    application: Application | None = None,
) -> Flask:
    """The HTTP application on a store that is held at this level of durability.

    Without `catalogues` the shipped ones are played; without `settings` nothing is limited and no other page may use
    it; without `metrics` it counts for itself alone. `application` is one with its resources that has no store yet.
    """
    settings = settings or WebSettings()
    metrics = metrics or Metrics()
    app = application or application_of_resources()
    contract: Contract = app.extensions[CONTRACT]
    register_problems(app)
    observe(app, metrics)
    bound_store_waiting(app)
    allow_origins(app, settings.cors_origins)
    limit_requests(
        app, Limits(RateLimits(RequestCounts(store), settings.quotas) if settings.quotas else None, metrics)
    )
    # Behind the limits, so that what is not acceptable counts as well.
    app.before_request(_refuse_encoded_slashes)
    app.before_request(acceptance(contract.paths))
    add_security_headers(app, settings.hsts_seconds)
    # Behind the security headers, so that it is asked before them: what they say is for answers that say nothing.
    app.after_request(revalidate)
    behind_proxies(app, settings.trusted_proxies)
    if settings.metrics:
        app.register_blueprint(exposition.blueprint)
    app.extensions[SETTINGS] = settings
    attach_services(
        app,
        store,
        durability,
        signing_keys,
        catalogues or Catalogues(),
        settings=settings,
        metrics=metrics,
    )
    return app


def application_of_resources() -> Application:
    """An application with every resource and its contract, to be completed by `create_app`.

    This takes most of the time, and needs no store: so it is done once, for all processes that are forked then.
    """
    app = Application(__name__, static_folder=None)
    app.config.update(API_SETTINGS, MAX_CONTENT_LENGTH=LARGEST_BODY + 1, PROVIDE_AUTOMATIC_OPTIONS=False)
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    register_resources(app)
    return app


def _refuse_encoded_slashes() -> None:
    """Answer 404 for an id with a slash: no id has one, and decoded it would end the path or name something else."""
    if "%2f" in str(request.environ.get("RAW_URI", "")).partition("?")[0].casefold():
        raise NotFound


def attach_services(
    app: Flask,
    store: Store,
    durability: str,
    signing_keys: SigningKeys,
    catalogues: Catalogues,
    *,
    settings: WebSettings,
    metrics: Metrics,
) -> None:
    """Let the application answer from this store, in place of any other that it answered from."""
    readiness = Readiness(store, durability, trust=settings.trust_durability)
    app.extensions[EXTENSION] = Services(
        store, signing_keys, catalogues, metrics, readiness, webhook_networks=settings.webhook_networks
    )
    app.extensions[exposition.EXTENSION] = (metrics, StoreMetrics(store, readiness))


def register_resources(app: Flask) -> Contract:
    """Put every resource into the application and its contract, playing first: the page shows them in this order."""
    api = FieldbookApi(app)
    for module in (
        games,
        rematches,
        reservations,
        commands,
        expiries,
        events,
        scenes,
        histories,
        systems,
        take_backs,
        players,
        ratings,
        tickets,
        game_tokens,
        keys,
        webhooks,
        records,
        exports,
        dataset,
        transparency,
        verifications,
        annotations,
        branches,
        disputes,
        evidence_packs,
        dispute_queue,
        tournaments,
        operator_acts,
    ):
        api.register_blueprint(module.blueprint)
    contract = app.extensions[CONTRACT] = Contract(api)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(reference_page.blueprint)
    return contract
