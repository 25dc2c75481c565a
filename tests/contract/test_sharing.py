"""What the contract describes once and refers to is what each operation would say by itself."""

from service.http.contract.document import VARIABLES
from service.openapi import build_contract
from tests.contract.examples import FILE
from tests.contract.references import dereferenced, operations

LARGEST = 300_000
"""Bytes of `openapi.yaml`: written out, the same is more than twice as long."""


def test_nothing_is_lost_by_sharing() -> None:
    """With the references followed, the shared contract is the one in which nothing is shared."""
    made = build_contract()
    whole, shared = made.whole, made.document
    assert dereferenced(shared["paths"], shared) == dereferenced(whole["paths"], whole)
    assert dereferenced(shared["webhooks"], shared) == dereferenced(whole["webhooks"], whole)
    schemas, before = (each["components"]["schemas"] for each in (shared, whole))
    assert before.keys() <= schemas.keys()
    for name, schema in before.items():
        assert dereferenced(schemas[name], shared) == dereferenced(schema, whole), name


def test_what_operations_share_is_shared() -> None:
    """The file is less than half of what it would be, and uses no anchors, of which some readers take only a few."""
    text = FILE.read_text(encoding="utf-8")
    assert len(text.encode()) < LARGEST
    assert ": *" not in text


def test_a_link_leads_to_an_operation() -> None:
    """By an id that there is, with parameters that it takes."""
    taken = {
        operation["operationId"]: {each["name"] for each in operation.get("parameters", ())}
        for _, _, operation in operations()
    }
    for _, _, operation in operations():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                found = taken[link["operationId"]]
                in_address = link["parameters"].keys() - found
                assert in_address <= VARIABLES.keys()
