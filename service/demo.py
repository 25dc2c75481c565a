"""`fieldbook demo`: one game of bots against a freshly started service, over the public API only.

Starts the whole service on a free port with a data folder of its own, sets up a game, follows its events with a
progress bar, waits for the worker's verdict, saves the record, verifies it offline, prints the last steps and the
standings, and stops the service again.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from events.rules.piles import DRAW_PILE
from events.rules.rule_system import RuleSystem
from service.store_settings import StoreSettings

PLAYERS = (("Ada", "greedy"), ("Bob", "random"), ("Cleo", "greedy"), ("Dan", "random"))
"""Who plays; of a game for fewer the first ones."""
START_SECONDS = 60.0
GAME_SECONDS = 180.0
VERDICT_SECONDS = 60.0
LAST_STEPS = 12
_console = Console()


class DemoFailed(Exception):
    """The demo did not go as it must; the message says where."""


class Api:
    """The few calls that the demo needs."""

    def __init__(self, address: str, key: str = "") -> None:
        """Talk to the service at this address with this key."""
        self._address = address
        self._key = key

    def call(self, path: str, body: Any = None, *, accept: str = "application/json") -> bytes:
        """One request; POST where there is a body.

        Raises:
            DemoFailed: the service answered with a problem.
        """
        request = Request(self._address + path, headers={"Accept": accept})  # noqa: S310 - our own address
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=60) as answer:  # noqa: S310
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            problem = json.loads(error.read())
            raise DemoFailed(f"{path}: {error.code} {problem.get('detail')}") from error

    def json(self, path: str, body: Any = None) -> Any:
        """One request with a JSON answer."""
        return json.loads(self.call(path, body))


def play_demo(system: RuleSystem, out: str | None, seed: str | None) -> None:
    """Play the demo with this rule system.

    Raises:
        DemoFailed: something did not go as it must.
    """
    folder = Path(tempfile.mkdtemp(prefix="fieldbook-demo-"))
    try:
        with running_service(folder) as (address, key):
            api = Api(address, key)
            game = _set_up(api, system, seed)
            _follow(api, system, game)
            _await_verdict(api, game)
            record = (
                Path(out)
                if out
                else StoreSettings.from_environment().data_folder / "records" / f"{game}.ndjson"
            )
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(api.call(f"/v1/games/{game}/record"))
            _console.print(f"Record saved: {record} ({record.stat().st_size / 1024:.0f} KiB)")
            state = api.json(f"/v1/games/{game}?as=all")
        _console.rule("The service is stopped; the rest needs only the record")
        _offline(record, state["version"])
        _standings(state, system.unit)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_service(folder: Path) -> Iterator[tuple[str, str]]:
    """A freshly started service with an empty data folder: its address and its first key.

    Raises:
        DemoFailed: it does not become ready.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = folder / "service.log"
    environment = {
        **os.environ,
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "FIELDBOOK_DATA": str(folder / "data"),
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "service.command_line", "up"],
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield address, _first_key(process, address, folder, log)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _first_key(process: "subprocess.Popen[bytes]", address: str, folder: Path, log: Path) -> str:
    key_file = folder / "data" / "first-key"
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urlopen(f"{address}/readyz", timeout=2):  # noqa: S310
                if key_file.exists():
                    return key_file.read_text(encoding="ascii").strip()
        except (URLError, OSError):
            pass
        time.sleep(0.1)
    raise DemoFailed(f"the service did not become ready:\n{log.read_text(errors='replace')[-2000:]}")


def _set_up(api: Api, system: RuleSystem, seed: str | None) -> str:
    players = PLAYERS[: system.players[-1]]
    seats = [
        {"name": name, "kind": "bot", "bot": bot, "seed": f"{seed or 'demo'}-{name}"} for name, bot in players
    ]
    created = api.json("/v1/games", {"system": system.key, "seats": seats})
    _console.print(
        f"Game {created['game']} of {system.key}: {', '.join(f'{name} ({bot})' for name, bot in players)}"
    )
    return str(created["game"])


def _follow(api: Api, system: RuleSystem, game: str) -> None:
    """Follow the game's events to its end; the bar counts cards drawn over all passes of the draw pile."""
    passes = system.setup(len(PLAYERS[: system.players[-1]])).exhaustions
    after, turn, exhaustions = 0, 0, 0
    deadline = time.monotonic() + GAME_SECONDS
    columns = (
        TextColumn("Turn {task.fields[turn]:>3}"),
        BarColumn(),
        TextColumn("{task.fields[events]} events"),
    )
    with Progress(*columns, TimeElapsedColumn(), console=_console) as bar:
        task = bar.add_task("game", total=passes, turn=0, events=0)
        pile, most = 0, 1
        while time.monotonic() < deadline:
            page = api.json(f"/v1/games/{game}/events?after={after}&wait=10&limit=200")
            for event in page["events"]:
                data = event["entry"]["data"]
                match event["entry"]["type"]:
                    case "turn_began":
                        turn = data["turn"]
                    case "pile_shuffled" if data["pile"] == DRAW_PILE:
                        pile = most = len(data["order"])
                    case "hand_dealt" | "cards_drawn" | "cards_revealed":
                        pile -= len(data["cards"])
                    case "pile_exhausted" if data["pile"] == DRAW_PILE:
                        exhaustions = data["times"]
                    case "secret_revealed":
                        bar.update(task, completed=passes, turn=turn, events=event["entry"]["version"])
                        return
                    case _:
                        pass
            after = page["next"]
            passed = exhaustions + (1 - pile / most if exhaustions < passes else 0)
            bar.update(task, completed=min(passed, passes), turn=turn, events=after)
    raise DemoFailed(f"the game did not end within {GAME_SECONDS:.0f} seconds")


def _await_verdict(api: Api, game: str) -> None:
    deadline = time.monotonic() + VERDICT_SECONDS
    found: Any = {"validation": "pending", "reports": []}
    with _console.status("Waiting for the worker's verdict"):
        while found["validation"] == "pending" and time.monotonic() < deadline:
            found = api.json(f"/v1/games/{game}/validations")
            time.sleep(0.1)
    if found["validation"] != "valid":
        raise DemoFailed(f"the worker's verdict is {found['validation']}: {found['reports'][:1]}")
    _console.print("The worker's verdict: valid")


def _offline(record: Path, version: int) -> None:
    """Verify the record and print its last steps, as anybody could who has the file."""
    last = str(max(1, version - LAST_STEPS + 1))
    for arguments in (["verify", str(record)], ["log", str(record), "--from", last]):
        _console.print(f"$ python -m replay {' '.join(arguments)}", style="bold", soft_wrap=True)
        status = subprocess.run([sys.executable, "-m", "replay", *arguments], check=False).returncode
        if status:
            raise DemoFailed(f"replay {arguments[0]} ended with status {status}")


def _standings(state: Any, unit: str) -> None:
    table = Table("Place", "Player", unit.capitalize(), title="Standings")
    scores = state["result"]["scores"]
    for seat in sorted(range(len(scores)), key=lambda each: -scores[each]):
        place = 1 + sum(score > scores[seat] for score in scores)
        table.add_row(str(place), state["seats"][seat]["name"], str(scores[seat]))
    _console.print(table)
