"""The worked examples: taken from real games, up to date, and valid."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from events.store.redis.redis_store import RedisEventStore
from service.http.contract.document import examples
from service.openapi import contract
from tests.contract.examples import FILE, examples_text
from tests.contract.references import operations
from tests.service.in_process import InProcess


@pytest.fixture
def api(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application on a fresh store."""
    application = InProcess(store)
    yield application
    application.close()


def test_the_examples_are_what_the_games_and_the_service_say(api: InProcess) -> None:
    """`python -m tests.contract` would change nothing."""
    assert FILE.read_text(encoding="utf-8") == examples_text(api), (
        "run python -m tests.contract, then make openapi"
    )


def test_every_event_and_every_command_has_an_example() -> None:
    """One for each type in the log, and one for each command of a seat."""
    schemas = contract()["components"]["schemas"]
    shown = examples()["schemas"]
    for choice in ("LogEntry", "Command"):
        for reference in schemas[choice]["discriminator"]["mapping"].values():
            name = reference.rpartition("/")[2]
            assert schemas[name]["examples"] == [shown[name]]


def contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body that the contract describes, with where it stands."""
    for path, method, operation in operations():
        bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
        for where, body in bodies.items():
            for content in body.get("content", {}).values():
                yield f"{method} {path} {where}", content


def test_every_example_is_valid() -> None:
    """Each fits the schema that it stands at."""
    components = contract()["components"]
    shown = 0
    for where, content in contents():
        for name, example in content.get("examples", {}).items():
            validator = jsonschema_rs.Draft202012Validator({**content["schema"], "components": components})
            errors = [str(each) for each in validator.iter_errors(example["value"])]
            assert not errors, (where, name, errors[:3])
            shown += 1
    for name, schema in components["schemas"].items():
        for example in schema.get("examples", ()):
            validator = jsonschema_rs.Draft202012Validator({**schema, "components": components})
            assert validator.is_valid(example), name
            shown += 1
    assert shown > 80
