"""Reading the contract where it refers to what it says elsewhere."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from service.http.contract.problems import problems_of
from service.openapi import contract

METHODS = {"get", "post", "put", "patch", "delete"}


def at(reference: str, document: dict[str, Any]) -> Any:
    """What a reference within a document names."""
    found: Any = document
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def dereferenced(value: Any, document: dict[str, Any], *, schemas: bool = True) -> Any:
    """A part of a document with what it refers to in place of the references; those to schemas may stay."""
    if isinstance(value, list):
        return [dereferenced(each, document, schemas=schemas) for each in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str) and (schemas or not reference.startswith("#/components/schemas/")):
        return dereferenced(at(reference, document), document, schemas=schemas)
    return {name: dereferenced(each, document, schemas=schemas) for name, each in value.items()}


@cache
def paths() -> dict[str, Any]:
    """The paths of the contract, with every parameter, answer and header where it is used."""
    document = contract()
    found: dict[str, Any] = dereferenced(document["paths"], document, schemas=False)
    return found


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation of these paths, with its path and method."""
    for path, members in paths().items():
        for method in METHODS & members.keys():
            yield path, method, members[method]


def problems() -> dict[str, set[tuple[int, str]]]:
    """The problems that each operation can answer, by its id: status and code."""
    return {operation["operationId"]: {*problems_of(operation)} for _, _, operation in operations()}
