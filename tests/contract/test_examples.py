"""The worked examples: taken from real games, up to date, and valid."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from events.store.redis.redis_store import RedisEventStore
from tests.contract.examples import FILE, contract_with_examples
from tests.contract.references import METHODS, dereferenced
from tests.service.in_process import InProcess


@pytest.fixture
def api(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application on a fresh store."""
    application = InProcess(store)
    yield application
    application.close()


@cache
def written() -> dict[str, Any]:
    """Return the contract as `openapi.yaml` has it."""
    document: dict[str, Any] = msgspec.yaml.decode(FILE.read_bytes())
    return document


def test_the_file_is_what_is_generated(api: InProcess) -> None:
    """`openapi.yaml` has not drifted from the schemas, the views, the recorded games and the answers."""
    assert FILE.read_text(encoding="utf-8") == contract_with_examples(api), (
        "openapi.yaml is not current: run `make openapi`"
    )


def test_every_event_and_every_command_has_an_example() -> None:
    """One for the data of each type in the log, and one for each command of a seat."""
    schemas = written()["components"]["schemas"]
    for reference in schemas["LogEntry"]["discriminator"]["mapping"].values():
        assert len(schemas[reference.rpartition("/")[2]]["properties"]["data"]["examples"]) == 1
    for type_name, reference in schemas["Command"]["discriminator"]["mapping"].items():
        (example,) = schemas[reference.rpartition("/")[2]]["examples"]
        assert example["type"] == type_name


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body that the contract describes, with where it stands."""
    paths = dereferenced(written()["paths"], written(), schemas=False)
    for path, methods in paths.items():
        for method in METHODS & methods.keys():
            operation = methods[method]
            bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
            for where, body in bodies.items():
                for content in body.get("content", {}).values():
                    yield f"{method} {path} {where}", content


def test_every_example_is_valid() -> None:
    """Each fits the schema that it stands at."""
    components = written()["components"]
    shown = 0
    for where, content in contents():
        for name, example in content.get("examples", {}).items():
            validator = jsonschema_rs.Draft202012Validator({**content["schema"], "components": components})
            errors = [str(each) for each in validator.iter_errors(example["value"])]
            assert not errors, (where, name, errors[:3])
            shown += 1
    for name, schema in components["schemas"].items():
        for described in (schema, schema.get("properties", {}).get("data", {})):
            for example in described.get("examples", ()):
                validator = jsonschema_rs.Draft202012Validator({**described, "components": components})
                assert validator.is_valid(example), name
                shown += 1
    assert shown > 80
