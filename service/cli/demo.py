"""`fieldbook demo`: one game of bots against a freshly started service, over the public API only.

Starts the whole service on a free port with a data folder of its own, sets up a game, follows its events with a
progress bar, waits for the worker's verdict, saves the record, verifies it offline, prints the last steps and the
standings, and stops the service again.
"""

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
from urllib.error import URLError
from urllib.request import urlopen

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from events.rules.definition.rule_system import RuleSystem
from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from events.rules.table.addition import DRAW_PILE
from replay.client import Fieldbook, Problem, TableView
from replay.commands.shared.written import force_option, require_output, write_output
from replay.platform.exit_status import FINDING, WRONG_USE
from replay.platform.output_file import RECORD
from service.startup.checks import exit_on_faults
from service.storage.settings import StoreSettings

PLAYERS = (("Ada", "greedy"), ("Bob", "random"), ("Cleo", "greedy"), ("Dan", "random"))
"""Who plays; of a game for fewer the first ones."""
START_SECONDS = 60.0
GAME_SECONDS = 180.0
VERDICT_SECONDS = 60.0
LAST_STEPS = 12
_console = Console()


class DemoFailed(Exception):
    """The demo did not go as it must; the message says where."""


@click.command()
@click.option(
    "--out", default=None, help="Where to save the record; by default in the data folder, under records."
)
@click.option("--seed", default=None, help="Seeds of the seats, to vary the game.")
@force_option
@click.option("--system", default="classic", show_default=True, help="The rule system, such as the-duel.")
def demo(out: str | None, seed: str | None, system: str, *, force: bool) -> None:
    """Play a game of bots against a fresh service over HTTP, and check its record."""
    exit_on_faults()
    if out is not None:
        require_output(Path(out), RECORD, force=force)
    try:
        _play(system_named(system), out, seed, force=force)
    except UnknownSystem as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)
    except (DemoFailed, Problem) as error:
        click.echo(f"The demo failed: {error}", err=True)
        sys.exit(FINDING)


def _play(system: RuleSystem, out: str | None, seed: str | None, *, force: bool) -> None:
    folder = Path(tempfile.mkdtemp(prefix="fieldbook-demo-"))
    try:
        with running_service(folder) as (address, key):
            fieldbook = Fieldbook(address, key)
            game = _set_up(fieldbook, system, seed)
            _follow(fieldbook, system, game)
            _await_verdict(fieldbook, game)
            record = (
                Path(out)
                if out
                else StoreSettings.from_environment().data_folder / "records" / f"{game}.ndjson"
            )
            record.parent.mkdir(parents=True, exist_ok=True)
            with write_output(record, RECORD, force=force) as file:
                file.write(fieldbook.record(game))
            _console.print(f"Record saved: {record} ({record.stat().st_size / 1024:.0f} KiB)")
            table = fieldbook.table(game, viewer="all")
        _console.rule("The service is stopped; the rest needs only the record")
        _verify_offline(record, table.version)
        _print_standings(table, system.unit)
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


def _set_up(fieldbook: Fieldbook, system: RuleSystem, seed: str | None) -> str:
    players = PLAYERS[: system.players[-1]]
    seats = [
        {"name": name, "kind": "bot", "bot": bot, "seed": f"{seed or 'demo'}-{name}"} for name, bot in players
    ]
    game = fieldbook.create_game(system.key, seats).game
    _console.print(f"Game {game} of {system.key}: {', '.join(f'{name} ({bot})' for name, bot in players)}")
    return game


def _follow(fieldbook: Fieldbook, system: RuleSystem, game: str) -> None:
    """Follow the game's events to its end; the bar counts cards drawn over all passes of the draw pile."""
    passes = system.setup(len(PLAYERS[: system.players[-1]])).exhaustions
    turn, exhaustions = 0, 0
    deadline = time.monotonic() + GAME_SECONDS
    columns = (
        TextColumn("Turn {task.fields[turn]:>3}"),
        BarColumn(),
        TextColumn("{task.fields[events]} events"),
    )
    with Progress(*columns, TimeElapsedColumn(), console=_console) as bar:
        task = bar.add_task("game", total=passes, turn=0, events=0)
        pile, most = 0, 1
        for event in fieldbook.events(game, wait=10):
            data = event.entry.data
            match event.entry.type:
                case "turn_began":
                    turn = data["turn"]
                case "pile_shuffled" if data["pile"] == DRAW_PILE:
                    pile = most = len(data["order"])
                case "hand_dealt" | "cards_drawn" | "cards_revealed":
                    pile -= len(data["cards"])
                case "pile_exhausted" if data["pile"] == DRAW_PILE:
                    exhaustions = data["times"]
                case _:
                    pass
            passed = exhaustions + (1 - pile / most if exhaustions < passes else 0)
            bar.update(task, completed=min(passed, passes), turn=turn, events=event.entry.version)
            if time.monotonic() > deadline:
                raise DemoFailed(f"the game did not end within {GAME_SECONDS:.0f} seconds")
        bar.update(task, completed=passes)


def _await_verdict(fieldbook: Fieldbook, game: str) -> None:
    deadline = time.monotonic() + VERDICT_SECONDS
    with _console.status("Waiting for the worker's verdict"):
        while (found := fieldbook.verdict(game)).validation == "pending" and time.monotonic() < deadline:
            time.sleep(0.1)
    if found.validation != "valid":
        raise DemoFailed(f"the worker's verdict is {found.validation}: {found.reports[:1]}")
    _console.print("The worker's verdict: valid")


def _verify_offline(record: Path, version: int) -> None:
    """Verify the record and print its last steps, as anybody could who has the file."""
    last = str(max(1, version - LAST_STEPS + 1))
    for arguments in (["verify", str(record)], ["log", str(record), "--from", last]):
        _console.print(f"$ {sys.argv[0]} replay {' '.join(arguments)}", style="bold", soft_wrap=True)
        status = subprocess.run([sys.executable, "-m", "replay", *arguments], check=False).returncode
        if status:
            raise DemoFailed(f"replay {arguments[0]} ended with status {status}")


def _print_standings(view: TableView, unit: str) -> None:
    if view.result is None:
        raise DemoFailed("the game has no result")
    shown = Table("Place", "Player", unit.capitalize(), title="Standings")
    scores = view.result.scores
    for seat in sorted(range(len(scores)), key=lambda each: -scores[each]):
        place = 1 + sum(score > scores[seat] for score in scores)
        shown.add_row(str(place), view.seats[seat].name, str(scores[seat]))
    _console.print(shown)
