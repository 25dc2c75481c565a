"""Fixtures that every part of the suite may use, where pytest looks for tests, and which process runs them when."""

import re
from pathlib import Path
from typing import Final

import pytest

pytest_plugins = [
    "tests.support.servers",
    "tests.support.second_verifier",
    "tests.support.browser",
    "tests.support.chromium",
    "tests.support.archiving",
    "tests.support.process_marks",
    "tests.support.crashes",
]
LONG: Final = ("tests/contract/", "tests/failovers/", "tests/faults/")
"""Folders in which few tests take long."""

LENGTHY: Final = (
    "tests/contract/test_examples.py",
    "tests/contract/test_sharing.py",
    "tests/events/bots/test_driver.py",
    "tests/events/bots/test_hidden_cards.py",
    "tests/events/store/test_redis_",
    "tests/events/store/test_store_",
    "tests/replay/across/",
    "tests/replay/branches/test_following_the_game.py",
    "tests/replay/branches/test_playing_by_bots.py",
    "tests/replay/client/test_answers.py",
    "tests/replay/client/test_sources.py",
    "tests/replay/commands/test_find.py",
    "tests/replay/commentary/test_message_catalogues.py",
    "tests/replay/exports/test_page_redaction.py",
    "tests/replay/second_verifier/test_open_forgeries.py",
    "tests/replay/second_verifier/test_open_results.py",
    "tests/replay/terminal/test_player_",
    "tests/replay/verification/test_forged_rewindings.py",
    "tests/replay/verification/test_hostile_records.py",
    "tests/replay/verification/test_logs.py",
    "tests/replay/verification/test_tampering.py",
    "tests/service/archive/test_full_logs.py",
    "tests/service/catalogues/test_own_catalogues.py",
    "tests/service/feeds/test_feed_follower.py",
    "tests/service/http/contract/test_introduction.py",
    "tests/service/http/contract/test_openapi.py",
    "tests/service/http/follow/test_following.py",
    "tests/service/http/push/test_shared_streams.py",
    "tests/service/http/push/test_streams.py",
    "tests/service/jobs/test_jobs_twice.py",
    "tests/service/operations/test_readiness.py",
    "tests/service/play/test_pinned_versions.py",
    "tests/service/play/test_retrying_clients.py",
    "tests/service/projections/test_quarantine.py",
    "tests/service/projections/test_rebuilding.py",
    "tests/service/roles/",
    "tests/service/verification/test_auditing.py",
    "tests/service/verification/test_validating.py",
    "tests/service/webhooks/",
)
"""Where tests take more than eight seconds together without a process, as measured: `make quick` leaves them out."""
TRIALS: Final = (
    "tests/benchmarks/test_rows.py",
    "tests/contract/test_service_keeps_the_contract.py",
    "tests/contract/test_generated_clients.py",
    "tests/failovers/test_lost_suffix.py",
    "tests/faults/test_short_campaign.py",
    "tests/monitoring/test_watching.py",
    "tests/replay/client/test_example_bot.py",
    "tests/replay/exports/test_page_in_browser.py",
    "tests/replay/second_verifier/test_rewindings.py",
    "tests/replay/terminal/test_player_keys.py",
    "tests/service/archive/test_commands.py",
    "tests/service/backup/test_backup_kills.py",
    "tests/service/cli/test_ready.py",
    "tests/service/disputes/test_dispute_tour.py",
    "tests/service/http/push/test_many_streams.py",
    "tests/service/http/resources/test_reference_page.py",
    "tests/service/pages/test_playing_systems.py",
    "tests/service/pages/test_playing_through_trouble.py",
    "tests/service/pages/test_playing_together.py",
    "tests/service/pages/test_playing_whole_games.py",
    "tests/service/pages/test_playing_without_a_mouse.py",
    "tests/service/pages/test_reviewing.py",
    "tests/service/play/test_retrying_clients.py",
    "tests/service/projections/test_commands.py",
    "tests/service/server/test_connections.py",
    "tests/service/server/test_operating.py",
    "tests/service/server/test_processes.py",
    "tests/service/server/test_refused_starts.py",
    "tests/service/server/test_stopping.py",
    "tests/service/server/test_two_hosts.py",
    "tests/service/simulation/test_simulating.py",
    "tests/service/telemetry/test_trace_over_processes.py",
    "tests/service/test_due_after_restart.py",
    "tests/service/webhooks/test_processes.py",
)
"""Long trials with whole processes, browsers and compilers, as measured: they are left to `make everything`, which is
what continuous integration runs.
"""
LONGEST_NAME: Final = 1_000
"""What is longer is no name of a test, in characters or bytes."""
LAW: Final = re.compile(r"/laws/|_laws?\.py")
"""So do files that are called laws: they hold over many games."""


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look into files of tests only: what tests are written with has no examples in its docstrings."""
    is_support = collection_path.suffix == ".py" and not collection_path.name.startswith("test_")
    return True if is_support else None


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name long text by its length: the name of a test stands in the environment of all that it starts."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{argname} of {len(val)}"
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, so that the games and servers that they share are made once.

    A test that names its group by itself goes where its group goes. What starts processes comes first, so that in
    the end no process of tests waits for another one that has just begun with it.
    """
    for item in items:
        if item.nodeid.startswith(LENGTHY) or LAW.search(item.nodeid.partition("::")[0]):
            item.add_marker(pytest.mark.lengthy)
        if item.nodeid.startswith(TRIALS):
            item.add_marker(pytest.mark.soak)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    items.sort(key=_is_short)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run in several processes that tear groups apart: each would make again what a group shares."""
    if hasattr(session.config, "workerinput") and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError(
            "this pytest-xdist tears groups of tests apart under this pytest: see requirements"
        )


def _is_short(item: pytest.Item) -> bool:
    """Whether a test starts no processes of the service."""
    return not item.nodeid.startswith(LONG) and "service" not in getattr(item, "fixturenames", ())
