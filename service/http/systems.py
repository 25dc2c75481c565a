"""Rule systems: what can be played, with which options and cards."""

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from events.rules.card_names import card_names
from events.rules.catalogue import Catalogue
from events.rules.rule_system import RuleSystem
from events.rules.systems import BY_KEY
from service.http.bodies import json_response
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.answers import SystemAnswer, SystemsAnswer
from service.http.schemas.requests import NoQuery
from service.http.services import services

blueprint = Blueprint("systems", __name__, url_prefix="/v1/systems", description="Rule systems")
blueprint.ARGUMENTS_PARSER = Parser()


def described(system: RuleSystem) -> dict[str, Any]:
    """A rule system as JSON."""
    catalogues = services().catalogues.playable(system)
    catalogue = catalogues[0]
    return {
        "system": system.key,
        "title": system.title,
        "version": system.version,
        "booklet": system.booklet,
        "players": list(system.players),
        "options": {
            name: {"default": option.default, "values": list(option.values)}
            for name, option in system.options.items()
        },
        "phases": [phase.name for phase in system.phases],
        "catalogue": {**msgspec.to_builtins(catalogue), "hash": catalogue.hash()},
        "names": card_names(catalogue),
        "catalogues": [summary(each) for each in catalogues],
    }


def summary(catalogue: Catalogue) -> dict[str, Any]:
    """A catalogue in short: which one it is, and where its figures come from."""
    return {
        "catalogue": catalogue.name,
        "title": catalogue.title,
        "source": catalogue.source,
        "provenance": list(catalogue.kinds_of_provenance),
        "hash": catalogue.hash(),
    }


@blueprint.route("")
class SystemsView(MethodView):
    """All rule systems."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, SystemsAnswer)
    def get(self, _query: dict[str, Any]) -> Response:
        """List the rule systems."""
        return json_response({"systems": [described(system) for system in BY_KEY.values()]})


@blueprint.route("/<string:system>")
class SystemView(MethodView):
    """One rule system."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, SystemAnswer)
    def get(self, _query: dict[str, Any], system: str) -> Response:
        """Describe a rule system, with its options, cards and where their figures come from."""
        if system not in BY_KEY:
            raise Problem(
                404, "unknown_system", f"There is no such rule system; there are: {', '.join(BY_KEY)}."
            )
        return json_response(described(BY_KEY[system]))
