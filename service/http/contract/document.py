"""The contract as one document: what resources say of themselves, and schemas that no view names."""

from collections.abc import Iterator
from functools import cached_property
from importlib import resources
from threading import Lock
from typing import Any, Final

import marshmallow as ma
from flask_smorest import Api

from events.log.codec import SEAT_COMMAND_TYPES
from service.http.contract.access import SCHEMES
from service.http.contract.headers import HEADERS
from service.http.contract.operation import METHODS
from service.http.contract.problems import (
    GAME_CODES,
    TABLE,
    codes_by_status,
    problem_responses,
    problems_of,
)
from service.http.contract.request_headers import REQUEST_HEADERS
from service.http.contract.sharing import share
from service.http.contract.webhooks import WEBHOOK_RESPONSES, WEBHOOK_SCHEMAS, describe_webhooks
from service.http.schemas import (
    annotations,
    answers,
    branches,
    disputes,
    evidence_packs,
    keys,
    players,
    ratings,
    take_backs,
    tournaments,
    webhooks,
)
from service.http.schemas.commands import command_schema
from service.http.schemas.log_entries import schemas_of_the_log
from service.http.schemas.shapes import COMPONENTS, refer
from service.http.schemas.table_views import FORMS, PARTS

API_SETTINGS: Final[dict[str, Any]] = {
    "API_TITLE": "Fieldbook",
    "API_VERSION": "v1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Bean-trading card games as an append-only log that anybody can check.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "Where this document is."}],
    },
}
EXTENSION: Final = "fieldbook-contract"
_FILES: Final = resources.files(__package__)
VARIABLES: Final = {
    "system": "The key of a rule system, such as `classic`.",
    "game": "The id of a game, as setting it up answered it and the list has it.",
    "dispute": "The number of a case in its game, counted from 1.",
    "seat": "The number of a seat, counted from 0.",
    "spectator": "The id of a spectator, as giving the token answered it.",
    "player": "The id of a player: your own, or the whole one, `namespace:id`; in a tournament as registered.",
    "key": "The id of a key: `key_...`, never the key itself.",
    "webhook": "The id of a webhook: `wh_...`.",
    "tournament": "The id of a tournament, as announcing it answered it.",
    "delivery": "The id of a delivery, which is the header `webhook-id` of what was sent.",
}
"""What the variables of addresses mean, by their names."""


class Contract:
    """The contract of an application."""

    def __init__(self, api: Api) -> None:
        """Of the application with these resources, which are all registered."""
        self._api = api
        self._adding, self._is_whole = Lock(), False
        self.paths: dict[str, Any] = api.spec._paths  # noqa: SLF001 - apispec has no public access to what it holds

    @cached_property
    def whole(self) -> dict[str, Any]:
        """All of it, with everything where it is said; put together when it is asked for first."""
        with self._adding:
            if not self._is_whole:
                _add_components(self._api)
            self._is_whole = True
        document: dict[str, Any] = self._api.spec.to_dict()
        answered = {each for _, _, found in operations(document["paths"]) for each in problems_of(found)}
        document["components"]["responses"] |= problem_responses(answered)
        document["components"][GAME_CODES] = codes_by_status(TABLE)
        _describe_variables(document["paths"])
        _omit_defaults(document)
        document["info"]["description"] = (_FILES / "introduction.md").read_text(encoding="utf-8")
        document["webhooks"] = describe_webhooks()
        return document

    @cached_property
    def document(self) -> dict[str, Any]:
        """The same, with what several operations say described once."""
        return share(self.whole)


def operations(paths: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation with its path and method."""
    for path, members in paths.items():
        for method in sorted(METHODS & members.keys()):
            yield path, method, members[method]


def _add_components(api: Api) -> None:
    components = api.spec.components
    # flask-smorest's own error answers and pages, which no operation refers to.
    components.responses.clear()
    components.responses |= WEBHOOK_RESPONSES
    components.schemas.pop("PaginationMetadata")
    for name, header in HEADERS.items():
        components.header(name, header)
    for name, parameter in REQUEST_HEADERS.items():
        components.parameter(name, "header", parameter.describe())
    for name, description in SCHEMES.items():
        components.security_scheme(name, {"type": "http", "scheme": "bearer", "description": description})
    commands = {type_name: command_schema(type_name) for type_name in SEAT_COMMAND_TYPES}
    kinds = {kind: schema() for kind, schema in annotations.KINDS.items()}
    _add_choice(api, "Command", "One command of a seat.", "type", commands)
    _add_choice(api, "Annotation", "Something to write into a set of annotations.", "kind", kinds)
    for module in (
        answers,
        annotations,
        branches,
        disputes,
        evidence_packs,
        keys,
        players,
        ratings,
        take_backs,
        tournaments,
        webhooks,
    ):
        components.schemas |= module.ANSWERS
    components.schemas |= {**schemas_of_the_log(), **PARTS, **FORMS, **WEBHOOK_SCHEMAS}
    components.schemas["PlayRequest"]["properties"]["command"] |= refer("Command")


def _add_choice(api: Api, name: str, description: str, told_by: str, schemas: dict[str, ma.Schema]) -> None:
    """A schema that is one of these, told apart by a member."""
    references = {}
    for value, schema in schemas.items():
        chosen = type(schema).__name__
        api.spec.components.schema(chosen, schema=schema)
        api.spec.components.schemas[chosen]["description"] = type(schema).__doc__
        references[value] = f"{COMPONENTS}{chosen}"
    api.spec.components.schema(
        name,
        {
            "type": "object",
            "description": description,
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": told_by, "mapping": references},
        },
    )


def _omit_defaults(document: dict[str, Any]) -> None:
    """Leave out what OpenAPI says by itself: parameters are optional, and a query has no value `null`."""
    described = [*document["components"]["parameters"].values()]
    for members in document["paths"].values():
        for each in (members, *(members[method] for method in METHODS & members.keys())):
            described += each.get("parameters", ())
    for parameter in described:
        if parameter.get("required") is False:
            del parameter["required"]
        schema = parameter.get("schema", {})
        if schema.get("default", "") is None:
            del schema["default"]
            schema["type"] = next(each for each in schema["type"] if each != "null")
            if "enum" in schema:
                schema["enum"] = [each for each in schema["enum"] if each is not None]


def _describe_variables(paths: dict[str, Any]) -> None:
    for members in paths.values():
        for each in members.get("parameters", ()):
            each["description"] = VARIABLES[each["name"]]
