"""Settings: every process and `fieldbook configuration` refuse wrong values with status 2, all of them at once.

Source: issue 43, item 12, and docs/operating.md, "Settings". Each fault names the variable, its value and what is
allowed; nothing is started, and nothing is written.
"""

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import fieldbook
from tests.support.processes import free_port
from tests.support.servers import ROOT, environment_without_settings

WRONG = {
    "PORT": "70000",
    "WEB_PROCESSES": "0",
    "REDIS_URL": "nonsense",
    "QUEUE_REDIS_URL": "http://127.0.0.1:6379",
    "FIELDBOOK_DURABILITY": "strong",
    "FIELDBOOK_NAME": "two words",
    "FIELDBOOK_PARTITIONS": "0",
    "FIELDBOOK_TRUST_DURABILITY": "yes",
    "FIELDBOOK_STORE_MEMORY": "lots",
    "FIELDBOOK_DISK_RESERVE": "10%",
    "FIELDBOOK_ARCHIVE": "gopher://archive",
    "FIELDBOOK_ARCHIVE_AFTER": "later",
    "FIELDBOOK_DISPUTE_SECONDS": "-1",
    "FIELDBOOK_CLAIM_SECONDS": "soon",
    "FIELDBOOK_RULING_SECONDS": "1d",
    "FIELDBOOK_PAUSE_SECONDS": "9" * 5000,
    "FIELDBOOK_APPEAL_SECONDS": "0",
    "FIELDBOOK_CATALOGUES": "no-such-folder",
    "FIELDBOOK_BOT_PATIENCE": "nan",
    "FIELDBOOK_UNFINISHED_GAMES": "many",
    "FIELDBOOK_GUEST_GAMES": "0",
    "FIELDBOOK_UNTOUCHED_AFTER": "1 week",
    "FIELDBOOK_WEBHOOK_NETWORKS": "10.1.0.0/99",
    "FIELDBOOK_WEBHOOK_GIVE_UP": "never",
    "FIELDBOOK_WITNESSES": "no-such-file",
    "FIELDBOOK_LIMITS": "foo",
    "FIELDBOOK_TRUSTED_PROXIES": "all",
    "FIELDBOOK_CORS_ORIGINS": "beans.example",
    "FIELDBOOK_HSTS": "1y",
    "FIELDBOOK_METRICS": "yes",
    "FIELDBOOK_TRACES": "some",
    "FIELDBOOK_SHORT_WAY": "0",
    "FIELDBOOK_LOG": "yaml",
    "FIELDBOOK_REQUEST_LOG": "stdout",
    "FIELDBOOK_PARENT": "init",
}
"""A wrong value of each setting that has wrong values, but for those of the next tests."""
PROCESSES = ("web", "worker", "projector", "bots", "webhook_sender", "embedded_store")


def test_the_configuration_command_names_every_wrong_value_at_once() -> None:
    """One run is enough to correct everything."""
    found = fieldbook("configuration", environment=WRONG)

    assert found.returncode == 2
    assert [
        name for name in WRONG if not any(line.startswith(name) for line in found.stderr.splitlines())
    ] == []
    for name, value in WRONG.items():
        if name != "FIELDBOOK_CATALOGUES":
            assert f"{value!r}" in found.stderr or value in found.stderr, name
    assert "Traceback" not in found.stderr


def test_every_wrong_value_alone_is_refused() -> None:
    """No setting is checked only because another one is wrong."""
    for name in ("REDIS_URL", "FIELDBOOK_LIMITS", "FIELDBOOK_PARTITIONS", "FIELDBOOK_ARCHIVE"):
        found = fieldbook("configuration", environment={name: WRONG[name]})
        assert (found.returncode, found.stderr.count("\n")) == (2, 1), found.stderr
        assert found.stderr.startswith(name)


@pytest.mark.parametrize("value", ["", "  ", "\t"], ids=("empty", "blanks", "tab"))
def test_an_empty_or_blank_value_counts_as_absent(value: str) -> None:
    """As container engines and systemd pass variables on that have no value."""
    found = fieldbook("configuration", "--json", environment=dict.fromkeys(WRONG, value))

    assert (found.returncode, found.stderr) == (0, "")
    assert {each["origin"] for each in json.loads(found.stdout).values()} == {"default"}


def test_blanks_around_a_value_are_ignored() -> None:
    """They are invisible in a file of settings."""
    environment = {
        "PORT": " 8123 ",
        "FIELDBOOK_DURABILITY": "local\r",
        "REDIS_URL": " redis://store.example ",
    }
    found = fieldbook("configuration", "--json", environment=environment)

    assert (found.returncode, found.stderr) == (0, "")
    shown = {name: each["value"] for name, each in json.loads(found.stdout).items() if name in environment}
    assert shown == {"PORT": "8123", "FIELDBOOK_DURABILITY": "local", "REDIS_URL": "redis://store.example"}


@pytest.mark.parametrize(
    "url",
    [
        "redis://store.example",
        "rediss://user:word@store.example:6380/1",
        "redis://one.example:7001,two.example:7002,[::1]:7003/",
        "unix:///run/fieldbook/store.sock?db=1",
        "unix://user:word@/run/store.sock",
    ],
)
def test_the_documented_addresses_of_stores_are_accepted(url: str) -> None:
    """docs/operating.md, "An external store"."""
    assert fieldbook("configuration", environment={"REDIS_URL": url}).returncode == 0


@pytest.mark.parametrize(
    "url", ["user:hunter2@store.example", "redis://user:hunter2@", "amqp://me:hunter2@host"]
)
def test_a_refused_address_is_shown_without_its_password(url: str) -> None:
    """What is refused is often copied into a question to others."""
    found = fieldbook("configuration", environment={"REDIS_URL": url, "FIELDBOOK_ARCHIVE": url})

    assert found.returncode == 2
    assert "hunter2" not in found.stdout + found.stderr


def test_an_unknown_option_of_an_address_is_named(tmp_path: Path) -> None:
    """The client library would otherwise raise a TypeError at the first command."""
    environment = {"REDIS_URL": "redis://127.0.0.1:9/?colour=red", "FIELDBOOK_DATA": str(tmp_path)}
    found = fieldbook("keys", "list", environment=environment)
    assert (found.returncode, found.stderr) == (
        2,
        "REDIS_URL cannot be understood: it has an unknown option: 'colour'\n",
    )


def test_the_data_folder_must_be_one(tmp_path: Path) -> None:
    """A file in its place is named before anything is written."""
    file = tmp_path / "file"
    file.touch()
    for value in (file, file / "data"):
        found = fieldbook("up", environment={"FIELDBOOK_DATA": str(value), "PORT": str(free_port())})
        assert found.returncode == 2
        assert found.stderr == (
            f"Not started. FIELDBOOK_DATA must be a folder, not {str(value)!r}: {file} is a file.\n"
        )


def test_a_missing_archive_folder_is_mentioned(tmp_path: Path) -> None:
    """The service starts without, because a folder may be mounted later; but a typing error is seen at once."""
    found = fieldbook("configuration", environment={"FIELDBOOK_ARCHIVE": f"file://{tmp_path}/archvie"})

    assert found.returncode == 0
    assert f"FIELDBOOK_ARCHIVE names the folder '{tmp_path}/archvie', which does not exist" in found.stderr
    assert fieldbook("configuration", environment={"FIELDBOOK_ARCHIVE": str(tmp_path)}).stderr == ""


def test_an_unknown_variable_is_named_with_what_was_probably_meant() -> None:
    """A typing error would otherwise silently have no effect."""
    found = fieldbook("configuration", environment={"FIELDBOOK_DURABILTY": "local"})
    assert "FIELDBOOK_DURABILTY; did you mean FIELDBOOK_DURABILITY?" in found.stderr


def test_a_level_that_the_embedded_store_does_not_have(tmp_path: Path) -> None:
    """`replicated` needs a server of the operator's own."""
    environment = {"FIELDBOOK_DATA": str(tmp_path / "data"), "FIELDBOOK_DURABILITY": "replicated"}
    found = fieldbook("up", environment=environment)

    assert found.returncode == 2
    assert found.stderr.startswith("Not started. FIELDBOOK_DURABILITY must be memory, local or fsync")
    assert not (tmp_path / "data").exists()


def test_up_starts_nothing_where_settings_are_wrong(tmp_path: Path) -> None:
    """All faults at once, status 2, and no data folder; a taken port is one of them."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        environment = {
            "FIELDBOOK_DATA": str(tmp_path / "data"),
            "PORT": str(port),
            "FIELDBOOK_LIMITS": "foo",
            "FIELDBOOK_DURABILITY": "strong",
        }
        found = fieldbook("up", environment=environment)

    assert found.returncode == 2
    first, *faults = found.stderr.splitlines()
    assert first == "Not started. 3 settings are refused:"
    assert [each.split()[0] for each in faults] == [
        "FIELDBOOK_DURABILITY",
        "FIELDBOOK_LIMITS",
        f"127.0.0.1:{port}",
    ]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http"])
def test_a_port_on_the_command_line_is_checked(port: str) -> None:
    """The usage error names the option and its range."""
    found = fieldbook("up", "--port", port)
    assert found.returncode == 2
    assert "Invalid value for '--port'" in found.stderr


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    """The message names HOST: another port would not help."""
    environment = {"FIELDBOOK_DATA": str(tmp_path / "data"), "HOST": "192.0.2.1", "PORT": str(free_port())}
    found = fieldbook("up", environment=environment)
    assert found.returncode == 2
    assert "HOST must be an address of this machine, not '192.0.2.1'" in found.stderr


def test_every_process_makes_the_same_check(tmp_path: Path) -> None:
    """Also for settings that it does not read: none starts where another one would be refused."""
    environment = environment_without_settings() | {
        "FIELDBOOK_DATA": str(tmp_path / "data"),
        "FIELDBOOK_LOG": "yaml",
        "WEB_PROCESSES": "0",
        "FIELDBOOK_LIMITS": "foo",
    }
    running = {
        name: subprocess.Popen(
            [sys.executable, "-m", f"service.{name}"],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in PROCESSES
    }
    refusals = {name: process.communicate(timeout=120)[1] for name, process in running.items()}

    assert {name: process.returncode for name, process in running.items()} == dict.fromkeys(PROCESSES, 2)
    assert set(map(str.count, refusals.values(), ["\n"] * len(refusals))) == {4}, refusals
    assert len(set(refusals.values())) == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "command", [("keys", "list"), ("audit", "--all"), ("partitions", "list"), ("archive",), ("demo",)]
)
def test_commands_on_the_store_refuse_wrong_settings_without_a_traceback(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    """They end with status 2 and the sentence."""
    environment = {"FIELDBOOK_DATA": str(tmp_path), "FIELDBOOK_DURABILITY": "strong"}
    found = fieldbook(*command, environment=environment)
    assert found.returncode == 2, found.stderr
    assert "FIELDBOOK_DURABILITY must be memory, local, fsync or replicated, not 'strong'." in found.stderr
    assert "Traceback" not in found.stderr
