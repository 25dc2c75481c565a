"""Dashboard and rules ask for what is exported, and each alert has its page."""

import re

from prometheus_client.parser import text_string_to_metric_families

from events.store.redis.redis_store import RedisEventStore
from service.verification.store import CosignatureRecords
from tests.monitoring.panels import queries
from tests.service.in_process import InProcess
from tests.support.prometheus import RULES
from tests.support.servers import ROOT

EXPORTED = re.compile(r"\bfieldbook_\w+")
RECORDED = re.compile(r"\bfieldbook:[\w:]+")
ALERT = re.compile(r"alert: (\w+)\n(?:.*\n)*?\s+runbook: (\S+)")
SUFFIXES = {
    "counter": ("_total",),
    "gauge": ("",),
    "info": ("_info",),
    "histogram": ("_bucket", "_count", "_sum"),
}


def asked_for() -> str:
    """All that dashboard and rules ask for."""
    return RULES.read_text() + "\n".join(each.expression for each in queries())


def test_every_metric_that_is_asked_for_is_exported(store: RedisEventStore) -> None:
    """A name that is changed or mistyped would be a panel that is always empty, and an alert that never fires."""
    CosignatureRecords(store).add(1, "root", "\u2014 witness.example AAAAAAAA\n")
    api = InProcess(store)
    exposed = api.call("GET", "/metrics").body.decode()
    api.close()
    exported = {
        family.name + suffix
        for family in text_string_to_metric_families(exposed)
        for suffix in SUFFIXES.get(family.type, ("",))
    }

    assert set(EXPORTED.findall(asked_for())) - exported == set()


def test_every_figure_that_is_asked_for_is_recorded() -> None:
    """What alerts take from the recording rules stands there."""
    recorded = set(re.findall(r"record: (\S+)", RULES.read_text()))

    assert set(RECORDED.findall(asked_for())) <= recorded


def test_every_alert_has_its_page() -> None:
    """Whoever is woken finds under the alert's name what it means, how to look, and what to do."""
    alerts = ALERT.findall(RULES.read_text())
    text = (ROOT / "docs" / "operating.md").read_text()
    sections = dict(re.findall(r"^### (Fieldbook\w+)\n\n((?:(?!^#).*\n)+)", text, re.MULTILINE))

    assert len(alerts) == RULES.read_text().count("- alert: ")
    assert {name for name, _ in alerts} == sections.keys()
    assert all(runbook == f"docs/operating.md#{name.lower()}" for name, runbook in alerts)
    assert all("**Look**" in section and "**Do**" in section for section in sections.values())
