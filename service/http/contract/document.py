"""The contract as one document: what resources say of themselves, schemas that no view names, and examples."""

from collections.abc import Iterator
from functools import cached_property
from importlib import resources
from threading import Lock
from typing import Any, Final

import marshmallow as ma
import msgspec
from flask_smorest import Api

from events.log.codec import SEAT_COMMAND_TYPES
from service.http.contract.access import SCHEMES
from service.http.contract.codes import problem_tables
from service.http.contract.headers import HEADERS
from service.http.contract.operation import METHODS
from service.http.contract.problems import problem_responses, problems_of
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
EXAMPLES_FILE: Final = "examples.json"
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
        _describe_variables(document["paths"])
        _show_examples(document)
        introduction = (_FILES / "introduction.md").read_text(encoding="utf-8")
        document["info"]["description"] = introduction + problem_tables(document["paths"]) + "\n"
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


def examples() -> dict[str, Any]:
    """The worked examples, taken from recorded games by `python -m tests.contract`."""
    return msgspec.json.decode((_FILES / EXAMPLES_FILE).read_bytes(), type=dict[str, Any])


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


def _describe_variables(paths: dict[str, Any]) -> None:
    for members in paths.values():
        for each in members.get("parameters", ()):
            each["description"] = VARIABLES[each["name"]]


def _show_examples(document: dict[str, Any]) -> None:
    shown = examples()
    for name, example in shown["schemas"].items():
        document["components"]["schemas"][name]["examples"] = [example]
    found = {operation["operationId"]: operation for _, _, operation in operations(document["paths"])}
    for operation_id, example in shown["requests"].items():
        found[operation_id]["requestBody"]["content"]["application/json"]["examples"] = example
    for operation_id, example in shown["answers"].items():
        for status, by_type in example.items():
            for media_type, each in by_type.items():
                response = found[operation_id]["responses"][status]
                name = response.get("$ref", "").rpartition("/")[2]
                described = document["components"]["responses"][name] if name else response
                described["content"][media_type]["examples"] = each
