"""Rule systems: what can be played, with which options and cards."""

from typing import Any

import msgspec
from flask import Response

from events.commands import PRESETS
from events.rules.catalogues.card_names import card_names
from events.rules.definition.rule_system import RuleSystem
from events.rules.systems import registry
from service.http.context.services import services
from service.http.contract.access import ANYBODY
from service.http.contract.operation import Link, Operation, Resource
from service.http.contract.problems import NAMED, of
from service.http.follow.table_bodies import summary
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem

blueprint = Resource("systems", __name__, url_prefix="/v1/systems", description="Rule systems")


def describe(system: RuleSystem) -> dict[str, Any]:
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


@blueprint.get("")
@Operation(
    ANYBODY,
    "SystemsAnswer",
    links={
        "describe": Link("describe_system", {"system": "$response.body#/systems/0/system"}, "One of them.")
    },
)
def list_systems() -> Response:
    """List the rule systems, the clocks that a new game can name, and whether guests may set games up."""
    clocks = {name: msgspec.structs.asdict(clock) for name, clock in PRESETS.items()}
    return json_response(
        {
            "systems": [describe(system) for system in registry.BY_KEY.values()],
            "clocks": clocks,
            "guests": services().most_of_guests > 0,
        }
    )


@blueprint.get("/<string:system>")
@Operation(ANYBODY, "SystemAnswer", NAMED | of(404, "unknown_system"))
def describe_system(system: str) -> Response:
    """Describe a rule system, with its options, cards and where their figures come from."""
    if system not in registry.BY_KEY:
        raise Problem(
            404,
            "unknown_system",
            f"There is no such rule system; there are: {', '.join(registry.BY_KEY)}.",
        )
    return json_response(describe(registry.BY_KEY[system]))
