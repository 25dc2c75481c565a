"""Nothing of a request is left to be guessed: every parameter and every member says what it means."""

from collections.abc import Iterator
from typing import Any

from service.http.contract.document import VARIABLES
from service.http.schemas.commands import MEANINGS
from service.openapi import contract
from tests.contract.references import dereferenced, operations, paths


def parameters() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every parameter with the id of its operation."""
    for path, _, operation in operations():
        for each in (*paths()[path].get("parameters", ()), *operation.get("parameters", ())):
            yield operation["operationId"], each


def bodies() -> dict[str, Any]:
    """Every schema with members that a request's body is made of, by its name."""
    document = contract()
    schemas = document["components"]["schemas"]
    found: dict[str, Any] = {}

    def follow(value: Any) -> None:
        if isinstance(value, list):
            for each in value:
                follow(each)
        if isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name in schemas and name not in found:
                found[name] = schemas[name]
                follow(schemas[name])
            for member, each in value.items():
                if member not in {"examples", "discriminator"}:
                    follow(each)

    for methods in document["paths"].values():
        follow(methods.get("post", {}).get("requestBody", {}))
    return {name: schema for name, schema in found.items() if "properties" in schema}


def test_every_parameter_is_described() -> None:
    """Of the path, the query and the headers."""
    silent = [(operation, each["name"]) for operation, each in parameters() if not each.get("description")]
    assert silent == []


def test_every_member_of_a_body_is_described() -> None:
    """In every schema that a request can be made of, commands and annotations among them."""
    found = bodies()
    assert {
        "NewGameRequest",
        "SeatRequest",
        "TakeSeatRequest",
        "AcceptCommand",
        "MarkRequest",
    } <= found.keys()
    document = contract()
    silent = [
        (schema, member)
        for schema, described in found.items()
        for member, each in described["properties"].items()
        if not (each.get("description") or dereferenced(each, document).get("description"))
    ]
    assert silent == []


def test_nothing_is_described_that_there_is_not() -> None:
    """Variables of addresses and members of commands are described by name: one that goes takes its text with it."""
    assert {each["name"] for _, each in parameters() if each["in"] == "path"} == VARIABLES.keys()
    commands = {name: each for name, each in bodies().items() if name.endswith("Command")}
    assert {member for each in commands.values() for member in each["properties"]} == MEANINGS.keys()
