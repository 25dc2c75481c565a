"""Debian's Prometheus: its tool for rules, and the server itself on loopback for as long as a test needs it."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
import yaml

from tests.support.processes import free_port
from tests.support.servers import ROOT, eventually

MONITORING = ROOT / "deploy" / "monitoring"
RULES = MONITORING / "fieldbook.rules.yml"
STOP_SECONDS = 20.0


def require_promtool() -> str:
    """Return the path of promtool; without it the test is left out, or fails where it must be there."""
    found = shutil.which("promtool")
    if found is None:
        if os.environ.get("FIELDBOOK_REQUIRE_PROMETHEUS") == "1":
            pytest.fail("FIELDBOOK_REQUIRE_PROMETHEUS=1, and there is no promtool on the path")
        pytest.skip("no promtool on the path")
    return found


@dataclass(frozen=True)
class Prometheus:
    """A running server."""

    address: str

    def ask(self, path: str, **query: str) -> Any:
        """What it answers under /api/v1; its own words where it refuses."""
        with urlopen(f"{self.address}/api/v1/{path}?{urlencode(query)}", timeout=10) as answer:  # noqa: S310
            return json.load(answer)["data"]

    def query(self, expression: str) -> list[Any]:
        """The series that an expression finds now."""
        found: list[Any] = self.ask("query", query=expression)["result"]
        return found

    def is_ready(self) -> bool:
        """Whether it answers queries."""
        try:
            with urlopen(f"{self.address}/-/ready", timeout=10) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


@contextmanager
def prometheus(folder: Path, target: str) -> Iterator[Prometheus]:
    """A server that scrapes one target every second, by our own configuration and rules; it ends with this."""
    configuration = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
    configuration["global"] = {
        "scrape_interval": "1s",
        "scrape_timeout": "1s",
        "evaluation_interval": "1s",
    }
    configuration["rule_files"] = [str(RULES)]
    configuration["scrape_configs"][0]["static_configs"] = [{"targets": [target]}]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration))
    port = free_port()
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'tsdb'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        found = Prometheus(f"http://127.0.0.1:{port}")
        eventually(found.is_ready)
        yield found
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
