"""Each alert fires when it should and only then, by Prometheus' own tool, in a world where all else is well."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.support.prometheus import MONITORING, RULES, require_promtool

Series = Mapping[str, str]
REQUESTS = 'fieldbook_request_seconds_count{method="POST", route="/v1/games/{game}/commands", status="%s"}'
BUCKET = 'fieldbook_request_seconds_bucket{method="POST", route="/v1/games/{game}/commands", status="200", le="%s"}'
APPEND = 'fieldbook_append_seconds_bucket{le="%s"}'
INVALID = 'fieldbook_validations_total{verdict="invalid"}'
GIVEN_UP = 'fieldbook_webhook_deliveries_total{outcome="given_up"}'
ASKED = 'fieldbook_witness_requests_total{witness="tower", outcome="%s"}'
HEALTHY = {
    "fieldbook_store_up": "1x200",
    "fieldbook_queue_up": "1x200",
    "fieldbook_workers": "2x200",
    'fieldbook_process_up{process="projector"}': "1x200",
    'fieldbook_process_up{process="bots"}': "1x200",
    'fieldbook_projection_lag{projection="games"}': "3x200",
    "fieldbook_quarantined_partitions": "0x200",
    "fieldbook_quarantined_games": "0x200",
    "fieldbook_games_to_validate": "100x200",
    'fieldbook_validations_total{verdict="valid"}': "0+9x200",
    'fieldbook_webhook_deliveries_total{outcome="delivered"}': "0+9x200",
    "fieldbook_webhook_oldest_seconds": "2x200",
    "fieldbook_rate_limits_away_total": "0x200",
    "fieldbook_store_memory_bytes": "800x200",
    "fieldbook_store_memory_limit_bytes": "1000x200",
    "fieldbook_disk_free_bytes": "1000x200",
    "fieldbook_disk_reserve_bytes": "1000x200",
    "fieldbook_log_entries": "7x200",
    "fieldbook_log_entries_witnessed": "7x200",
    ASKED % "cosigned": "0+1x200",
    ASKED % "away": "0+1x200",
    REQUESTS % "200": "0+600x200",
    REQUESTS % "503": "0+12x200",
    'fieldbook_request_seconds_count{method="GET", route="/readyz", status="503"}': "0+600x200",
    BUCKET % "0.5": "0+594x200",
    BUCKET % "1.0": "0+600x200",
    BUCKET % "+Inf": "0+600x200",
    APPEND % "0.1": "0+594x200",
    APPEND % "0.25": "0+600x200",
    APPEND % "+Inf": "0+600x200",
}
"""Samples of every minute, some of them as bad as is still well."""


class Case(NamedTuple):
    """What goes wrong in a healthy world after its tenth minute, and when that is enough for an alert."""

    series: Series
    quiet: tuple[int, ...]
    """Minutes at which it does not fire yet, or not any more."""
    fires: int
    """A minute at which it does."""


CASES = {
    "FieldbookTakesNoCommands": Case(
        {"fieldbook_store_up": "1x10 0x90", 'fieldbook_store_up{instance="other"}': "1x200"}, (11,), 12
    ),
    # For five minutes the last sample counts.
    "FieldbookIsSilent": Case({"fieldbook_store_up": "1x10"}, (16,), 18),
    "FieldbookRequestsFail": Case({REQUESTS % "503": "0+12x10 132+30x90"}, (10, 15), 18),
    "FieldbookCommandsAreSlow": Case({BUCKET % "0.5": "0+594x10 5940+500x90"}, (10, 20), 23),
    "FieldbookAppendsAreSlow": Case({APPEND % "0.1": "0+594x10 5940+500x90"}, (10, 20), 23),
    "FieldbookMemoryRunsOut": Case({"fieldbook_store_memory_bytes": "800x10 801x90"}, (10, 20), 21),
    "FieldbookDiskRunsOut": Case({"fieldbook_disk_free_bytes": "1000x10 999x90"}, (10, 12), 13),
    "FieldbookCannotCountRequests": Case({"fieldbook_rate_limits_away_total": "0x10 1+1x90"}, (20,), 23),
    "FieldbookPartitionIsQuarantined": Case({"fieldbook_quarantined_partitions": "0x10 1x90"}, (10,), 11),
    "FieldbookGameIsQuarantined": Case({"fieldbook_quarantined_games": "0x10 1x90"}, (25,), 26),
    "FieldbookFoundAnInvalidGame": Case({INVALID: "_x10 1x90"}, (9, 75), 11),
    "FieldbookLogIsNotWitnessed": Case({"fieldbook_log_entries": "7x10 8x90"}, (40,), 41),
    "FieldbookWitnessDoesNotCoSign": Case({ASKED % "cosigned": "0+1x10 10x90"}, (10, 75), 85),
    "FieldbookProcessIsGone": Case({'fieldbook_process_up{process="bots"}': "1x10 0x90"}, (12,), 13),
    "FieldbookFallsBehind": Case(
        {'fieldbook_projection_lag{projection="games"}': "1000x10 1001x90"}, (15,), 16
    ),
    "FieldbookQueueIsAway": Case(
        {"fieldbook_queue_up": "1x10 0x90", "fieldbook_workers": "2x10 0x90"}, (15,), 16
    ),
    "FieldbookHasNoWorker": Case({"fieldbook_workers": "2x10 0x90"}, (15,), 16),
    "FieldbookVerdictsWait": Case({"fieldbook_games_to_validate": "100x10 101x90"}, (39,), 43),
    "FieldbookWebhooksWait": Case({"fieldbook_webhook_oldest_seconds": "3600x10 3601x90"}, (20,), 21),
    "FieldbookGaveUpTelling": Case({GIVEN_UP: "_x10 1x90"}, (9, 75), 11),
    "FieldbookLoopFails": Case({'fieldbook_loop_failures_total{loop="clocks"}': "_x10 1x90"}, (9, 75), 11),
}


@pytest.fixture(scope="module")
def alerts() -> dict[str, Any]:
    """Return every alert by its name."""
    groups = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule for group in groups for rule in group["rules"] if "alert" in rule}


def world(name: str, case: Case) -> dict[str, Any]:
    """A test of promtool: which alerts fire, and when, in a world in which one thing goes wrong."""
    return {
        "name": name,
        "interval": "1m",
        "input_series": [
            {"series": each, "values": values} for each, values in (HEALTHY | dict(case.series)).items()
        ],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minute}m",
                "exp_samples": [
                    {"labels": f'{{alertname="{name}"}}', "value": 1} for _ in range(minute == case.fires)
                ],
            }
            for minute in (*case.quiet, case.fires)
        ],
    }


def test_the_rules_are_well_formed() -> None:
    """Prometheus takes them, by themselves and as the example of its configuration names them."""
    promtool = require_promtool()
    subprocess.run([promtool, "check", "rules", RULES], check=True, capture_output=True)
    configuration: list[str | Path] = [promtool, "check", "config", MONITORING / "prometheus.yml"]
    checked = subprocess.run(configuration, check=True, capture_output=True, text=True)
    assert "1 rule files found" in checked.stdout


def test_every_alert_has_its_case(alerts: dict[str, Any]) -> None:
    """None is written that was never seen to fire."""
    assert CASES.keys() == alerts.keys()


def test_each_alert_fires_when_it_should_and_only_then(tmp_path: Path) -> None:
    """Where one thing goes wrong that alert fires, after its time, and no other; what is just well fires none."""
    tests = tmp_path / "tests.yml"
    worlds = [world(name, case) for name, case in CASES.items()]
    tests.write_text(
        yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": worlds})
    )

    found = subprocess.run(
        [require_promtool(), "test", "rules", tests], capture_output=True, text=True, check=False
    )

    assert found.returncode == 0, found.stdout + found.stderr
