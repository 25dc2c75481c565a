"""The dashboard's queries and the rules, put to a real Prometheus that watches a service at work."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.monitoring.panels import queries
from tests.monitoring.watched_service import RATE_INTERVAL, watched_service
from tests.support.prometheus import RULES, Prometheus, require_promtool
from tests.support.servers import eventually

SECONDS = 6.0
QUIET = {
    ("Answers 5xx by route", "{{status}} {{route}}"),
    ("Transparency log", "witnessed"),
    ("Witnesses", "{{witness}}: {{outcome}}"),
}
"""What a service that works, and has no witness, has nothing to tell of."""


@pytest.fixture(scope="module")
def watching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """Yield a Prometheus that has watched a service at work."""
    require_promtool()
    with watched_service(tmp_path_factory.mktemp("watched"), SECONDS) as found:
        yield found


def silent(watching: Prometheus) -> set[tuple[str, str]]:
    """The panels and lines that show nothing now."""
    found = set()
    for each in queries(RATE_INTERVAL):
        try:
            if not watching.query(each.expression):
                found.add((each.panel, each.legend))
        except HTTPError as refused:
            pytest.fail(f"{each.panel}: {each.expression}: {refused.read().decode()}")
    return found


def test_every_panel_shows_something(watching: Prometheus) -> None:
    """Prometheus understands each query, and answers it by what a service at work exports."""
    eventually(lambda: silent(watching) <= QUIET)

    assert silent(watching) == QUIET


def test_nothing_fires_while_all_is_well(watching: Prometheus) -> None:
    """The rules are loaded, each is evaluated without an error, and no alert fires."""

    def rules() -> list[Any]:
        return [rule for group in watching.ask("rules")["groups"] for rule in group["rules"]]

    eventually(lambda: "unknown" not in {rule["health"] for rule in rules()})
    assert len(rules()) == len(re.findall(r"- (?:record|alert): ", RULES.read_text()))
    assert {rule["health"] for rule in rules()} == {"ok"}
    assert [rule["name"] for rule in rules() if rule.get("state") == "firing"] == []
    assert watching.query("fieldbook:requests:rate5m")
