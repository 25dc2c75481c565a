"""Chromium without a screen, driven as WebDriver (W3C) has it; and whether a browser has to be there."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

import httpx
import pytest

from tests.support.processes import free_port
from tests.support.servers import eventually

CHROMIUM: Final = shutil.which("chromium")
DRIVER: Final = shutil.which("chromedriver")
BROWSER_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_BROWSER") == "1"
_ARGUMENTS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars"),
)
_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""How WebDriver names an element in its answers."""


class Browser:
    """One browser window; the browser and its driver end when this is left."""

    def __init__(self, profile: Path) -> None:
        """Start the driver and a browser with an empty profile in this folder."""
        assert DRIVER is not None
        port = free_port()
        self._driver = subprocess.Popen(
            [DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        eventually(self._ready)
        options = {"binary": CHROMIUM, "args": [*_ARGUMENTS, f"--user-data-dir={profile}"]}
        capabilities = {
            "alwaysMatch": {
                "browserName": "chrome",
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL"},
            }
        }
        self._session = ""
        answer = self._call("POST", "/session", {"capabilities": capabilities})
        self._session = f"/session/{answer['sessionId']}"

    def __enter__(self) -> Self:
        """Return the browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the window and end the driver."""
        self._call("DELETE", "")
        self._http.close()
        self._driver.terminate()
        self._driver.wait(timeout=30)

    def open(self, address: str) -> None:
        """Go to an address and wait for it."""
        self._call("POST", "/url", {"url": address})

    def run(self, script: str, *args: Any) -> Any:
        """What a script returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def type(self, selector: str, text: str) -> None:
        """Type into an element, or choose the file of this path."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", f"/element/{found[_ELEMENT]}/value", {"text": text})

    def click(self, selector: str) -> None:
        """Click on an element."""
        found = self._call("POST", "/element", {"using": "css selector", "value": selector})
        self._call("POST", f"/element/{found[_ELEMENT]}/click", {})

    def complaints(self) -> list[str]:
        """What the browser wrote to its console since it was asked last."""
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def devtools(self, command: str, **parameters: Any) -> Any:
        """What a command of the DevTools protocol answers."""
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def _ready(self) -> bool:
        try:
            return bool(self._http.get("/status").json()["value"]["ready"])
        except httpx.TransportError:
            return False

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = self._http.request(method, self._session_path(path), json=body)
        value = answer.json()["value"]
        assert answer.status_code == httpx.codes.OK, value
        return value

    def _session_path(self, path: str) -> str:
        return path if path == "/session" else self._session + path


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Open a browser; without one the test fails where one is required, and else is left out with the reason."""
    if CHROMIUM is None or DRIVER is None:
        if BROWSER_REQUIRED:
            pytest.fail(
                "FIELDBOOK_REQUIRE_BROWSER=1, and there is no chromium or no chromedriver on the path "
                "(Debian's packages chromium and chromium-driver)"
            )
        pytest.skip("no chromium with chromedriver on the path")
    with Browser(tmp_path / "profile") as running:
        yield running
