"""Nothing of a request is left to be guessed: every parameter and every member says what it means."""

from collections.abc import Iterator
from typing import Any

from service.http.contract_members import BODIES, COMMANDS
from service.http.contract_parameters import ELSEWHERE, PATH, QUERY
from service.openapi import contract

METHODS = {"get", "post", "put", "patch", "delete"}


def parameters() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every parameter with the id of its operation."""
    for methods in contract()["paths"].values():
        for method in METHODS & methods.keys():
            operation = methods[method]
            for each in (*methods.get("parameters", ()), *operation.get("parameters", ())):
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
    silent = [
        (schema, member)
        for schema, described in found.items()
        for member, each in described["properties"].items()
        if not each.get("description")
    ]
    assert silent == []


def test_nothing_is_described_that_there_is_not() -> None:
    """A parameter or a member that goes takes its description with it."""
    present = list(parameters())
    assert {each["name"] for _, each in present if each["in"] == "path"} == PATH.keys()
    queries = {(operation, each["name"]) for operation, each in present if each["in"] == "query"}
    assert ELSEWHERE.keys() <= queries
    assert {name for _, name in queries - ELSEWHERE.keys()} == QUERY.keys()
    commands = {name: each for name, each in bodies().items() if name.endswith("Command")}
    assert {member for each in commands.values() for member in each["properties"]} == COMMANDS.keys()
    assert bodies().keys() - commands.keys() == BODIES.keys()
