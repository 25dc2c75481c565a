"""A duplicate tournament over HTTP as its organiser runs it: `python -m tests.playthroughs.duplicate_tournament`.

23 bots and a program that never moves, six tables of four, real processes. The table where the program sits is late,
an arbiter rules about another one, and at the end an auditor, who has the log and the records alone, checks all of it
by the command line: the tournament whole, and of each round that its tables have the same deal. That is proven for
those that have ended; a late one has committed itself to it.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tests.support.http_play import OverHttp
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import ROOT

BOTS = 23
TABLE = 4
PATIENCE_SECONDS = 1_800


class Organiser:
    """Who runs the tournament, with a key of theirs."""

    def __init__(self, api: OverHttp, key: str) -> None:
        """Ask this service."""
        self._api = api
        self._key = key
        self.tournament = ""

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """A request that has to be answered well."""
        answer = self._api.call(method, f"/v1{path}", body, token=key or self._key)
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body.decode()}")
        return answer.json if answer.body else None

    def announce(self, system: str, rounds: int, late_after: int) -> None:
        """Announce it, and register everybody: bots of two kinds, and a program."""
        wanted = {"name": "Duplicate", "system": system, "format": "duplicate", "rounds": rounds}
        made = self.ask("POST", "/tournaments", wanted | {"sizes": [TABLE], "late_after": late_after})
        self.tournament = made["tournament"]
        for number in range(BOTS):
            bot = "greedy" if number % 2 else "random"
            player = {
                "player": f"bot-{number}",
                "name": f"{bot} {number}",
                "bot": bot,
                "seed": f"dice-{number}",
            }
            self.ask("POST", f"/tournaments/{self.tournament}/players", player)
        self.ask("POST", f"/tournaments/{self.tournament}/players", {"player": "idle", "name": "Idle"})
        self.ask("POST", f"/tournaments/{self.tournament}/start")

    def look(self) -> Any:
        """The tournament as everybody sees it."""
        return self.ask("GET", f"/tournaments/{self.tournament}")

    def await_end(self) -> Any:
        """Wait for the final table."""
        until = time.monotonic() + PATIENCE_SECONDS
        while (seen := self.look())["status"] != "finished":
            if time.monotonic() > until:
                raise RuntimeError(f"it has not ended after {PATIENCE_SECONDS} s: {seen['schedule'][-1]}")
            time.sleep(0.5)
        return seen

    def have_ruled(self, game: str, winner: int, arbiter: str) -> None:
        """Open a case about a table, and have its result replaced."""
        scores = [30 if seat == winner else 5 for seat in range(TABLE)]
        ruling = {
            "kind": "replaced",
            "scope": "the end",
            "reason": "A field was sold twice.",
            "scores": scores,
        }
        cases = f"/games/{game}/disputes"
        self.ask("POST", cases, {"version": 30, "reason": "mistake", "text": "Look at this."})
        self.ask("POST", f"{cases}/1/claim", key=arbiter)
        self.ask("POST", f"{cases}/1/rulings", ruling | {"winners": [winner]}, arbiter)
        self.ask("POST", f"{cases}/1/acceptance")

    def write_records(self, folder: Path, tables: Sequence[Any]) -> None:
        """The log and the record of each table."""
        for name, path in [
            ("log", f"/tournaments/{self.tournament}/log"),
            *((table["game"], f"/games/{table['game']}/record") for table in tables),
        ]:
            answer = self._api.call("GET", f"/v1{path}", token=self._key)
            (folder / f"{name}.ndjson").write_bytes(answer.body)


def _replay(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "replay", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _compare(folder: Path, tables: Sequence[Any]) -> Any:
    """What an auditor finds who compares the deals of these tables."""
    compared = _replay("deals", "--json", *(folder / f"{table['game']}.ndjson" for table in tables))
    click.echo(compared.stderr, nl=False, err=True)
    return json.loads(compared.stdout) if compared.stdout else {"alike": False, "proven": False}


@click.command()
@click.option("--system", default="classic", show_default=True, help="The rule system.")
@click.option("--rounds", default=3, show_default=True, help="Rounds of the tournament.")
@click.option("--late-after", default=240, show_default=True, help="Seconds of a round.")
def main(system: str, rounds: int, late_after: int) -> None:
    """Play it, and say what was found; status 1 where anything is wrong."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder)) as service:
        service.start(*EVERYTHING)
        service.await_ready()
        organiser = Organiser(service.api, service.key(("create_games",)))
        organiser.announce(system, rounds, late_after)
        seen = organiser.await_end()
        before = [row["player"] for row in seen["standings"]]
        tables = [table for played in seen["schedule"] for table in played["tables"]]
        late = [table for table in tables if table["outcome"]["kind"] == "late"]
        ruled = next(table for table in tables if table["outcome"]["kind"] == "played")
        winner = ruled["players"].index(min(ruled["players"], key=before.index))
        organiser.have_ruled(ruled["game"], (winner + 1) % TABLE, service.key(("arbitrate",)))
        until = time.monotonic() + PATIENCE_SECONDS
        while organiser.look()["entries"] == seen["entries"] and time.monotonic() < until:
            time.sleep(0.5)
        after = [row["player"] for row in organiser.look()["standings"]]
        organiser.write_records(Path(folder), tables)
        records = [Path(folder) / f"{table['game']}.ndjson" for table in tables]
        checked = _replay("tournament", Path(folder) / "log.ndjson", *records)
        deals = [
            (
                _compare(Path(folder), played["tables"])["alike"],
                _compare(Path(folder), [table for table in played["tables"] if table not in late])["proven"],
            )
            for played in seen["schedule"]
        ]
    found = {
        "players": len(seen["field"]),
        "tables": len(tables),
        "late": len(late),
        "the ruling moved the table": before != after,
        "rounds whose tables are alike": sum(alike for alike, _ in deals),
        "rounds in which that is proven": sum(proven for _, proven in deals),
        "status of the auditor's command": checked.returncode,
        "seconds": round(time.monotonic() - began),
    }
    click.echo(checked.stdout + checked.stderr + json.dumps(found, indent=1))
    is_proven = all(alike and proven for alike, proven in deals)
    sys.exit(checked.returncode or not (late and before != after and is_proven))


if __name__ == "__main__":
    main()
