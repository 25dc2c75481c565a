"""The whole way of a dispute on a terminal; kept by `python -m tests.service.disputes.dispute_tour`.

A seat disputes a move, an arbiter reads, tries and rules, a seat appeals, another arbiter rules for good, and the
record shows it. Every command is a process of its own against a running service. What differs from one time to the
next (ids, hashes, moments) is written as a word in capitals.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from service.access.store import Keys
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import ROOT, eventually

KEPT: Final = Path(__file__).parent / "tour.txt"
SCREEN: Final = 40
"""Lines of a screen that is kept."""
SCOPE: Final = "the plant of turn 1"
NAMES: Final = ("Ann", "Ben", "Cat")


class Tour:
    """A running service, a game of three people, and two arbiters."""

    def __init__(self, service: Service) -> None:
        """Set up the game and make the keys."""
        self.service = service
        body = {"system": "classic", "seats": [{"name": name} for name in NAMES]}
        made = service.api.call("POST", "/v1/games", body, token=service.key()).json
        self.game: str = made["game"]
        self.tokens = {name: seat["token"] for name, seat in zip(NAMES, made["seats"], strict=True)}
        self.before: int = made["version"]
        store = service.open_store()
        try:
            keys = Keys(store)
            self.tokens |= {name: keys.create(name, ("arbitrate",), 1) for name in ("Ada", "Bea")}
            self._ids = {key.id: f"KEY-OF-{key.name.upper()}" for key in keys.all()}
        finally:
            store.close()
        for command in ({"type": "plant", "field": 0}, {"type": "reveal"}):
            path = f"/v1/games/{self.game}/commands"
            assert service.api.call("POST", path, command, token=self.tokens["Ann"]).status == 200

    def screens(self) -> Iterator[str]:
        """Every screen in order."""
        case = f"{self.game}/1"
        ruling = ["--kind", "rewound", "--to", str(self.before), "--scope", SCOPE]
        why = ["--reason", "She meant the other field, and said so at once."]
        yield self.screen(
            "Ann", "disputes", "open", self.game, "--version", str(self.before + 1), "--reason", "mistake",
            "--text", "I meant field 1.", "--pause",
        )  # fmt: skip
        self.await_pack()
        yield self.screen("Ada", "disputes", "list")
        yield self.screen("Ada", "disputes", "show", case)
        yield self.screen("Ada", "disputes", "show", case, "--evidence", "text")
        yield self.screen("Ada", "disputes", "claim", case)
        yield self.screen("Ben", "disputes", "evidence", case, "--text", "I saw her hand: she did.")
        self.await_pack()
        yield self.screen("Ada", "disputes", "rule", case, *ruling, *why, "--preview")
        yield self.screen("Ada", "disputes", "rule", case, *ruling, *why, "--seen-confirmed", "--preview")
        yield self.screen("Ada", "disputes", "rule", case, *ruling, *why, "--seen-confirmed")
        yield self.screen("Ann", "disputes", "accept", case)
        yield self.screen("Cat", "disputes", "appeal", case, "--text", "She has seen two cards by now.")
        self.await_pack()
        yield self.screen("Ada", "disputes", "claim", case)
        yield self.screen("Bea", "disputes", "list", "--status", "appealed", "--reason", "mistake")
        yield self.screen("Bea", "disputes", "claim", case)
        yield self.screen("Bea", "disputes", "rule", case, *ruling, "--seen-confirmed", *why)
        yield self.screen("Bea", "disputes", "rule", case, *ruling, "--seen-confirmed", *why)
        yield self.screen("Bea", "disputes", "list")
        yield self.screen("Cat", "disputes", "show", case)
        address = f"http://127.0.0.1:{self.service.port}/v1/games/{self.game}"
        yield self.screen("Cat", "replay", address, "log", "--from", str(self.before), "--as", "public")

    def await_pack(self) -> None:
        """Wait until the worker has built the evidence pack that is due."""
        path, token = f"/v1/games/{self.game}/disputes/1", self.tokens["Ada"]
        eventually(lambda: not self.service.api.call("GET", path, token=token).json["pack_due"], seconds=60)

    def run(self, who: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command of somebody."""
        return subprocess.run(
            [sys.executable, "-m", "service.command_line", *arguments],
            cwd=ROOT,
            env=self.service.environment
            | {
                "FIELDBOOK_SERVICE": f"http://127.0.0.1:{self.service.port}",
                "FIELDBOOK_KEY": self.tokens[who],
                "COLUMNS": "80",
            },
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def screen(self, who: str, *arguments: str) -> str:
        """One command and what it prints, with its status where that is not 0."""
        done = self.run(who, *arguments)
        shown = [*done.stdout.splitlines(), *done.stderr.splitlines()]
        if len(shown) > SCREEN:
            shown = [*shown[:SCREEN], "... more lines"]
        if done.returncode:
            shown.append(f"(status {done.returncode})")
        words = [f'"{each}"' if " " in each else each for each in arguments]
        return self.plain("\n".join([f"{who}$ fieldbook {' '.join(words)}", *shown]))

    def plain(self, text: str) -> str:
        """The text without what differs from one time to the next."""
        text = text.replace(self.game, "GAME").replace(f"127.0.0.1:{self.service.port}", "HOST")
        for id_, word in self._ids.items():
            text = text.replace(id_, word)
        text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "YYYY-MM-DD HH:MM:SS", text)
        text = re.sub(r"\b(planted|revealed) .*?( on field 0)?\.$", r"\1 CARDS\2.", text, flags=re.MULTILINE)
        text = re.sub(r"\bhash [0-9a-f]{16}\b", "hash HASH", text)
        text = re.sub(r"\b[0-9a-f]{64}\b", "SHA-256", text)
        text = re.sub(r'"at": \d+', '"at": MILLISECONDS', text)
        text = re.sub(r"(?m)^(    )[A-Za-z0-9_.-]{40,}$", r"\1TOKEN", text)
        return re.sub(r"(?m)^GAME/1 +\d+[smh]", "GAME/1 AGE", text)


def toured(service: Service) -> str:
    """The whole tour as one text."""
    rule = "\n" + "-" * 80 + "\n"
    return rule.join(Tour(service).screens()) + "\n"


def main() -> None:
    """Keep the screens of a tour."""
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder)) as service:
        service.start(*EVERYTHING)
        service.await_ready()
        KEPT.write_text(toured(service), "utf-8")


if __name__ == "__main__":
    main()
