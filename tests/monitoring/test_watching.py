"""The dashboard's queries and the rules, put to a real Prometheus that watches a service at work."""

import re
from collections.abc import Iterator
from urllib.error import HTTPError

import pytest

from tests.monitoring.panels import queries
from tests.monitoring.watched_service import RATE_INTERVAL, watched_service
from tests.support.prometheus import RULES, Prometheus, require_promtool

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


def test_every_panel_shows_something(watching: Prometheus) -> None:
    """Prometheus understands each query, and answers it by what a service at work exports."""
    empty = set()
    for each in queries(RATE_INTERVAL):
        try:
            found = watching.query(each.expression)
        except HTTPError as refused:
            pytest.fail(f"{each.panel}: {each.expression}: {refused.read().decode()}")
        if not found:
            empty.add((each.panel, each.legend))

    assert empty == QUIET


def test_nothing_fires_while_all_is_well(watching: Prometheus) -> None:
    """The rules are loaded, each is evaluated without an error, and no alert fires."""
    groups = watching.ask("rules")["groups"]
    rules = [rule for group in groups for rule in group["rules"]]

    assert len(rules) == len(re.findall(r"- (?:record|alert): ", RULES.read_text()))
    assert {rule["health"] for rule in rules} == {"ok"}
    assert [rule["name"] for rule in rules if rule.get("state") == "firing"] == []
    assert watching.query("fieldbook:requests:rate5m")
