"""The compose files: the schema of the Compose specification, the Procfile's processes, and what each of them may."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.files import DEPLOY, PROCESSES, SETTINGS, command, compose

CHECK = Path(sys.executable).with_name("check-jsonschema")
FILES = sorted((DEPLOY / "compose").glob("*.yaml"))
SERVICES = compose()["services"]
BEHIND_TLS = compose("compose.tls.yaml")["services"]


def check(*files: Path) -> subprocess.CompletedProcess[str]:
    """Hold files to the schema."""
    done: list[str | Path] = [CHECK, "--builtin-schema", "vendor.compose-spec", *files]
    return subprocess.run(done, capture_output=True, text=True, check=False)


def test_the_files_keep_to_the_compose_specification(tmp_path: Path) -> None:
    """And one with a misspelled word would not."""
    done = check(*FILES)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(FILES[-1].read_text().replace("read_only:", "readonly:"))
    assert "'readonly' was unexpected" in check(wrong).stdout


def test_there_is_a_service_for_each_process_with_its_very_command() -> None:
    """The store's place is taken by a Valkey of its own."""
    assert set(SERVICES) == {*PROCESSES, "store"}
    for name in PROCESSES:
        words = SERVICES[name]["command"]
        assert words == command(name)
        # The share of the processors is what the kernel makes of the priority (sched(7): 1.25 for each step).
        share = round(1024 / 1.25 ** int(words[2])) if words[0] == "nice" else None
        assert SERVICES[name].get("cpu_shares") == share
        image = SERVICES[name]["image"]
        assert image == SERVICES["web"]["image"]


@pytest.mark.parametrize(("name", "service"), [*SERVICES.items(), ("caddy", BEHIND_TLS["caddy"])])
def test_each_may_as_little_as_it_needs(name: str, service: dict[str, Any]) -> None:
    """A root that cannot be written, no capability but Caddy's for ports below 1024, and a start after every end."""
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "caddy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert "privileged" not in service


def test_each_setting_is_one_that_the_program_reads() -> None:
    """FIELDBOOK_SITE and the like are Caddy's."""
    for service in [*(SERVICES[name] for name in PROCESSES), BEHIND_TLS["web"]]:
        assert set(service["environment"]) <= SETTINGS


def test_nothing_is_reached_from_outside_but_caddy() -> None:
    """The store is in a network that leads nowhere; the HTTP interface listens on this machine alone."""
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["web"]["ports"])
    assert SERVICES["store"]["networks"] == ["store"]
    assert compose()["networks"]["store"] == {"internal": True}
    assert BEHIND_TLS["web"]["environment"]["FIELDBOOK_TRUSTED_PROXIES"] == 1


def test_whoever_is_not_asked_by_http_is_asked_for() -> None:
    """The image asks for readiness, which is the HTTP interface's; of the others that one knows whether they live."""
    for name in set(PROCESSES) - {"web"}:
        asked = SERVICES[name]["healthcheck"]["test"]
        assert asked == ["CMD", "fieldbook", "ready", "--at", "http://web:8000", "--process", name]
    assert "healthcheck" not in SERVICES["web"]


def test_nobody_is_killed_before_it_had_time_to_end() -> None:
    """The limits stand in docs/operating.md, "How they end"."""
    assert all(SERVICES[name]["stop_grace_period"] == "15s" for name in PROCESSES)
