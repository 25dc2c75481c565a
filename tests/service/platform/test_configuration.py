"""The settings: one table, which the documentation shows, the code keeps to and a command prints."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from events.disputes.facts import Limits
from service.disputes.dispute_resolution import dispute_limits
from service.platform import configuration
from service.platform.configuration import (
    DURABILITY,
    LOG_FORMAT,
    VARIABLES,
    BadSetting,
    Variable,
    effective,
    refused_settings,
    setting,
    unknown_variables,
)
from service.startup.web_settings import WebSettings
from service.storage.levels import Durability
from tests.support.servers import ROOT, environment_without_settings

SOURCES = [*sorted((ROOT / "service").rglob("*.py")), ROOT / "Procfile"]


def test_the_documentation_shows_the_table() -> None:
    """docs/operating.md; after a change paste the table that this expects."""
    lines = ["| variable | default | read by | meaning |", "|---|---|---|---|"]
    for each in VARIABLES:
        default = f"`{each.default}`" if each.default else each.fallback
        lines.append(f"| `{each.name}` | {default} | {each.readers} | {each.meaning} |")
    table = "\n".join(lines)
    assert table in (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def test_every_variable_that_the_code_names_is_in_the_table() -> None:
    """Nobody adds a setting without saying what it means, and none is there that nobody reads."""
    texts = [path.read_text(encoding="utf-8") for path in SOURCES if path.name != "configuration.py"]
    named = {name for text in texts for name in re.findall(r"FIELDBOOK_[A-Z_]*[A-Z]", text)}
    assert named <= {each.name for each in VARIABLES}
    constants = {name: each for name, each in vars(configuration).items() if isinstance(each, Variable)}
    used = {name for text in texts for name in re.findall(r"\b([A-Z_]+)\.value\(", text)}
    read = {constants[name].name for name in used & constants.keys()}
    assert {each.name for each in VARIABLES if each.name.startswith("FIELDBOOK_")} <= named | read


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda each: each.name)
def test_every_default_can_be_read(variable: Variable[Any]) -> None:
    """A process without any setting starts."""
    variable.value({})


def test_every_value_that_cannot_be_read_is_refused_at_once() -> None:
    """Whichever process reads it: none starts where another one would be refused."""
    refused = refused_settings({"FIELDBOOK_HSTS": "1y", "FIELDBOOK_ARCHIVE_AFTER": "later", "PORT": "80"})
    assert refused == [
        "FIELDBOOK_ARCHIVE_AFTER must be a number with s, m, h or d after it, such as 30d, not 'later'.",
        "FIELDBOOK_HSTS must be a number from 0 to 63244800, not '1y'.",
    ]


def test_the_levels_of_the_setting_are_those_of_the_store() -> None:
    """The table names them, because it imports nothing of the store."""
    assert [DURABILITY.value({"FIELDBOOK_DURABILITY": each}) for each in Durability] == list(Durability)


def test_typing_errors_are_named_with_what_was_probably_meant() -> None:
    """A misspelt variable would else silently do nothing; those of other programs are left alone."""
    found = unknown_variables(
        {"FIELDBOOK_DURABILTY": "fsync", "FIELDBOOK_XYZZY": "1", "FIELDBOOK_DATA": "x", "HOME": "/"}
    )
    assert found == [
        "Nothing reads the variable FIELDBOOK_DURABILTY; did you mean FIELDBOOK_DURABILITY?",
        "Nothing reads the variable FIELDBOOK_XYZZY.",
    ]
    assert unknown_variables({"FIELDBOOK_REQUIRE_REDIS": "1", "FIELDBOOK_SOAK": "1"}) == []


def test_an_empty_variable_counts_as_absent() -> None:
    """As docker and systemd pass them on."""
    assert setting("PORT", {"PORT": ""}) == "8000"
    assert setting("PORT", {"PORT": "9000"}) == "9000"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("PORT", "\N{ARABIC-INDIC DIGIT EIGHT}"),
        ("WEB_PROCESSES", "0"),
        ("WEB_PROCESSES", "two"),
        ("FIELDBOOK_TRUSTED_PROXIES", "-1"),
        ("FIELDBOOK_TRUSTED_PROXIES", "all"),
        ("FIELDBOOK_HSTS", "1y"),
        ("FIELDBOOK_METRICS", "yes"),
        ("FIELDBOOK_LIMITS", "maybe"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, value: str) -> None:
    """The sentence names the variable and what it takes."""
    with pytest.raises(BadSetting, match=name):
        WebSettings.from_environment({name: value})


def test_the_times_of_disputes_are_numbers_of_seconds() -> None:
    """14 days, 7, 7 and 1 where nothing else is said."""
    day = 24 * 60 * 60 * 1000
    assert dispute_limits({}) == Limits(dispute=14 * day, claim=7 * day, ruling=7 * day, appeal=day)
    assert dispute_limits({"FIELDBOOK_APPEAL_SECONDS": "60"}).appeal == 60_000
    for name in ("DISPUTE", "CLAIM", "RULING", "APPEAL"):
        for value in ("0", "-1", "1d", "9" * 12):
            with pytest.raises(BadSetting, match=f"FIELDBOOK_{name}_SECONDS"):
                dispute_limits({f"FIELDBOOK_{name}_SECONDS": value})


def test_the_log_has_two_forms() -> None:
    """And no third."""
    assert [LOG_FORMAT.value({"FIELDBOOK_LOG": each}) for each in ("", "text", "json")] == [
        "text",
        "text",
        "json",
    ]
    with pytest.raises(BadSetting, match="FIELDBOOK_LOG must be text or json"):
        LOG_FORMAT.value({"FIELDBOOK_LOG": "xml"})


SECRETS = {
    "REDIS_URL": "rediss://user:hunter2@redis.example:6380/0",
    "QUEUE_REDIS_URL": "unix:///run/redis.sock?db=1&password=hunter2",
    "FIELDBOOK_ARCHIVE": "ftp://me:hunter2@files.example/archive",
    "FIELDBOOK_ARCHIVE_OPTIONS": '{"secret": "hunter2"}',
}


def test_what_is_printed_holds_no_password() -> None:
    """Addresses keep what helps to find an error; options with secrets are not shown at all."""
    shown = {each.variable.name: each for each in effective(SECRETS)}
    assert not [each for each in shown.values() if "hunter2" in each.shown]
    assert shown["REDIS_URL"].shown == "rediss://...@redis.example:6380/0"
    assert shown["REDIS_URL"].origin == "environment"
    assert shown["FIELDBOOK_ARCHIVE_OPTIONS"].shown == "..."
    assert (shown["PORT"].shown, shown["PORT"].origin) == ("8000", "default")
    assert {each.shown for each in effective({}) if each.variable.kind != "plain"} == {"", "the log's server"}


def printed(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `fieldbook configuration`."""
    return subprocess.run(
        [sys.executable, "-m", "service.command_line", "configuration", *arguments],
        env=environment_without_settings() | {"PYTHONPATH": str(ROOT)} | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_prints_what_holds_and_where_it_comes_from(tmp_path: Path) -> None:
    """As text and as JSON; typing errors are named on standard error."""
    done = printed(tmp_path, PORT="9000", FIELDBOOK_DURABILTY="local")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^PORT +9000 +environment$", done.stdout, re.MULTILINE)
    assert re.search(r"^FIELDBOOK_DURABILITY +fsync +default$", done.stdout, re.MULTILINE)
    assert "did you mean FIELDBOOK_DURABILITY?" in done.stderr
    found = json.loads(printed(tmp_path, "--json", **SECRETS).stdout)
    assert found["REDIS_URL"] == {"value": "rediss://...@redis.example:6380/0", "origin": "environment"}
    assert set(found) == {each.name for each in VARIABLES}


def test_the_command_says_what_a_start_would_refuse(tmp_path: Path) -> None:
    """All of it at once, with status 2."""
    done = printed(tmp_path, PORT="x", FIELDBOOK_DURABILITY="best", FIELDBOOK_LOG="xml")
    assert done.returncode == 2
    for name in ("PORT", "FIELDBOOK_DURABILITY", "FIELDBOOK_LOG"):
        assert f"{name} must be" in done.stderr
    assert "Traceback" not in done.stderr


REFUSED_STARTS = [
    *((process, "FIELDBOOK_LOG", "xml") for process in ("web", "worker", "projector", "bots")),
    ("web", "PORT", "x"),
    ("web", "FIELDBOOK_CORS_ORIGINS", "beans.example"),
    ("web", "FIELDBOOK_BOT_PATIENCE", "long"),
    ("projector", "FIELDBOOK_BOT_PATIENCE", "nan"),
]


@pytest.mark.parametrize(("process", "name", "value"), REFUSED_STARTS)
def test_no_process_starts_with_a_setting_that_makes_no_sense(
    tmp_path: Path, process: str, name: str, value: str
) -> None:
    """Status 2 and a sentence that names it, no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", f"service.{process}"],
        env=environment_without_settings() | {"FIELDBOOK_DATA": str(tmp_path), name: value},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert name in done.stderr
    assert repr(value) in done.stderr
    assert "Traceback" not in done.stderr
