"""What makes the contract exact: events, tables and legal commands by type, operations by name, worked examples."""

from importlib import resources
from typing import Any, Final

import msgspec
from flask_smorest import Api

from service.http.contract import contract_paths
from service.http.contract_members import describe_members
from service.http.contract_operations import OPERATIONS, SCHEMES, describe_operations
from service.http.contract_parameters import describe_parameters
from service.http.contract_webhooks import described_webhooks
from service.http.schemas.log_entries import schemas_of_the_log
from service.http.schemas.table_views import FORMS, OF_SOME_SYSTEMS, PARTS, TABLE, legal_command

_FILES: Final = resources.files("service.http")
EXAMPLES_FILE: Final = "examples.json"


def detail_contract(api: Api) -> None:
    """Add the details to what the views and `complete_contract` have said."""
    spec = api.spec
    spec.options["info"]["description"] = (_FILES / "introduction.md").read_text(encoding="utf-8")
    for name, description in SCHEMES.items():
        spec.components.security_scheme(
            name, {"type": "http", "scheme": "bearer", "description": description}
        )
    schemas: dict[str, Any] = spec.components.schemas
    schemas |= {**schemas_of_the_log(), **PARTS, **FORMS}
    schemas["EventAnswer"]["properties"]["entry"] = {"$ref": "#/components/schemas/LogEntry"}
    schemas["LegalCommandsAnswer"]["properties"]["commands"] = {"type": "array", "items": legal_command()}
    state = schemas["StateAnswer"]
    state["properties"] |= {**TABLE, **OF_SOME_SYSTEMS}
    state["required"] = sorted({*state["required"], *TABLE})
    spec.options["webhooks"] = described_webhooks()
    paths = contract_paths(api)
    describe_operations(paths)
    describe_parameters(paths)
    describe_members(schemas)
    _show_examples(schemas, paths)


def examples() -> dict[str, Any]:
    """The worked examples, taken from recorded games by `python -m tests.contract`."""
    return msgspec.json.decode((_FILES / EXAMPLES_FILE).read_bytes(), type=dict[str, Any])


def _show_examples(schemas: dict[str, Any], paths: dict[str, Any]) -> None:
    shown = examples()
    for name, example in shown["schemas"].items():
        schemas[name]["examples"] = [example]
    places = {operation.id: place for place, operation in OPERATIONS.items()}
    for operation_id, example in shown["requests"].items():
        content = _operation(paths, places[operation_id])["requestBody"]["content"]["application/json"]
        content["examples"] = example
    for operation_id, example in shown["answers"].items():
        answers = _operation(paths, places[operation_id])["responses"]
        for status, by_type in example.items():
            for media_type, each in by_type.items():
                answers[status]["content"][media_type]["examples"] = each


def _operation(paths: dict[str, Any], place: tuple[str, str]) -> dict[str, Any]:
    method, path = place
    operation: dict[str, Any] = paths[path][method]
    return operation
