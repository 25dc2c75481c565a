"""The contract: what `openapi.yaml` says beyond what flask-smorest finds in the views."""

from typing import Any

from flask_smorest import Api

from events.codec import SEAT_COMMAND_TYPES
from service.http.contract_annotations import describe_annotations
from service.http.contract_headers import describe_headers
from service.http.contract_problems import describe_problems
from service.http.schemas.commands import MOST_COMMANDS, command_schema
from service.http.verifications import MEDIA_TYPES

API_SETTINGS: dict[str, Any] = {
    "API_TITLE": "Fieldbook",
    "API_VERSION": "v1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Bean-trading card games as an append-only log that anybody can check.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
    },
}


TEXTS = {
    "/v1/log/checkpoint": "A signed note with the checkpoint (C2SP tlog-checkpoint).",
    "/v1/log/consistency": "A consistency proof, as docs/record-format.md describes it.",
    "/v1/games/{game}/proof": "An inclusion proof with its checkpoint (C2SP tlog-proof).",
    "/v1/games/{game}/receipt": "A signed note with the game's head.",
}
"""What is answered as plain text, by path."""


def contract_paths(api: Api) -> dict[str, Any]:
    """The paths of the contract with their operations."""
    paths: dict[str, Any] = api.spec._paths  # noqa: SLF001 - apispec has no public access to what it holds
    return paths


def complete_contract(api: Api) -> None:
    """Add the commands and the other representations of events."""
    spec = api.spec
    # flask-smorest's own error answers, which `register_problems` replaces.
    spec.components.responses.clear()
    names = {}
    for type_name in SEAT_COMMAND_TYPES:
        schema = command_schema(type_name)
        name = type(schema).__name__
        spec.components.schema(name, schema=schema)
        spec.components.schemas[name]["description"] = type(schema).__doc__
        names[type_name] = {"$ref": f"#/components/schemas/{name}"}
    spec.components.schema(
        "Command",
        {
            "description": "One command of a seat.",
            "oneOf": list(names.values()),
            "discriminator": {
                "propertyName": "type",
                "mapping": {type_name: reference["$ref"] for type_name, reference in names.items()},
            },
        },
    )
    spec.components.schemas["PlayRequest"]["properties"]["command"] = {"$ref": "#/components/schemas/Command"}
    paths = contract_paths(api)
    command: dict[str, Any] = {"$ref": "#/components/schemas/Command"}
    batch = {"type": "array", "items": command, "minItems": 1, "maxItems": MOST_COMMANDS}
    sending = paths["/v1/games/{game}/commands"]["post"]
    sending["requestBody"] = {
        "required": True,
        "content": {"application/json": {"schema": {"oneOf": [command, batch]}}},
    }
    answers = paths["/v1/games/{game}/events"]["get"]["responses"]["200"]["content"]
    answers["application/x-ndjson"] = {"schema": {"type": "string", "description": "One event per line."}}
    answers["text/event-stream"] = {
        "schema": {
            "type": "string",
            "description": "A frame `view` with the table, then one per event (its id is its cursor, its data the "
            "event); `presence` when somebody comes or goes, `dispute` when something happens in a case, "
            "`history_lost` where the log does not go on from what was sent, `end` after the last.",
        }
    }
    paths["/v1/games/{game}/events"]["get"]["responses"]["204"] = {
        "description": "A stream is asked for, and there is nothing more to come: do not come back."
    }
    paths["/v1/games/{game}/record"]["get"]["responses"]["200"]["content"] = {
        "application/x-ndjson": {"schema": {"type": "string", "description": "The record, line by line."}}
    }
    paths["/v1/exports/games"]["get"]["responses"]["200"]["content"] = {
        "application/x-ndjson": {
            "schema": {"type": "string", "description": "Records, each with a line after it."}
        }
    }
    describe_annotations(api, paths)
    written = paths["/v1/games/{game}/disputes/{dispute}/evidence-pack"]["get"]["responses"]["200"]["content"]
    for media_type, name in (("text/markdown", "The pack as a text."), ("text/html", "The pack as a page.")):
        written[media_type] = {"schema": {"type": "string", "description": name}}
    for path, name in TEXTS.items():
        text = {"schema": {"type": "string", "description": name}}
        paths[path]["get"]["responses"]["200"]["content"] = {"text/plain": text}
    record = {"description": "A record, as it was downloaded: its bytes, whatever they are."}
    paths["/v1/verifications"]["post"]["requestBody"] = {
        "required": True,
        "content": {media_type: {"schema": record} for media_type in MEDIA_TYPES},
    }
    for path in paths.values():
        if "get" in path:
            path["get"]["responses"]["304"] = {
                "description": "What If-None-Match names is still what there is."
            }
    describe_problems(api, paths)
    describe_headers(paths)
