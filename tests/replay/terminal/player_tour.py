"""A tour of every key of the terminal player, in a real terminal. `python -m tests.replay.terminal.player_tour`.

The screens are kept in `player/tour.txt`, one below the other, each under the key that led to it. They are taken from
tmux, with 80 columns and 24 lines; a test compares them with what the player draws without a terminal.
"""

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.replay.commands.commands import ROOT, WHOLE

TOUR: Final = Path(__file__).parent / "player" / "tour.txt"
AUTHOR: Final = "Rita"
BEGIN: Final = 140
WIDTH, HEIGHT = 80, 24
_NAMES: Final = {
    "backspace": "BSpace", "pagedown": "PageDown", "pageup": "PageUp", "less_than_sign": "<", "slash": "/",
    "greater_than_sign": ">", "plus": "+", "minus": "-", "question_mark": "?", "space": "Space", "percent_sign": "%",
}  # fmt: skip
_STILL_SECONDS: Final = 0.6
_PATIENCE: Final = 60.0


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of the tour.

    Attributes:
        key: what is shown, as the first of its keys is written in the player's help.
        presses: the keys that lead there, as Textual calls them.
        back: the keys that close what they have opened.
    """

    key: str
    presses: tuple[str, ...]
    back: tuple[str, ...] = ()


STOPS: Final = (
    Stop("e", ("e",)),
    Stop("E", ("E",)),
    Stop("c", ("c",)),
    Stop("C", ("C",)),
    Stop("f", ("f",)),
    Stop("F", ("F",)),
    Stop("t", ("t",)),
    Stop("T", ("T",)),
    Stop("<", ("less_than_sign",)),
    Stop(">", ("greater_than_sign",)),
    Stop("g", ("g", "1", "4", "0", "enter")),
    Stop("/", ("slash", *"harvest", "enter")),
    Stop("n", ("n",)),
    Stop("N", ("N",)),
    Stop("-", ("minus", "minus")),
    Stop("Space", ("space",), ("space",)),
    Stop("+", ("plus", "plus", "plus")),
    Stop("r", ("r",), ("r",)),
    Stop("p", ("p",)),
    Stop("P", ("P",), ("down", "down", "enter")),
    Stop("k", ("k",), ("escape",)),
    Stop("x", ("x",), ("escape",)),
    Stop("l", ("l",), ("l", "l", "l")),
    Stop("w", ("w", *"early", "enter")),
    Stop("a", ("less_than_sign", "a")),
    Stop("A", ("greater_than_sign", "A")),
    Stop("i", ("i",), ("escape",)),
    Stop("o", ("o",), ("enter",)),
    Stop("v", ("v",), ("down", "enter")),
    Stop("y", ("y",), ("escape",)),
    Stop("m", ("m",)),
    Stop("b", ("b",), ("enter",)),
    Stop("B", ("B",)),
    Stop("Escape", ("escape",)),
    Stop("?", ("question_mark",), ("escape",)),
    Stop("q", ("q",)),
)


def kept() -> dict[str, str]:
    """The screens that are kept, by key."""
    parts = TOUR.read_text(encoding="utf-8").split("\n=== ")[1:]
    return {heading: screen for heading, _, screen in (part.partition(" ===\n") for part in parts)}


class _Tmux:
    """The player in a terminal of tmux that nobody else uses."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")
        notes = folder / "notes.ndjson"
        program = (
            f"{sys.executable} -m replay play {WHOLE} --at {BEGIN} --annotations {notes} --author {AUTHOR}"
        )
        self._run("new-session", "-d", "-x", str(WIDTH), "-y", str(HEIGHT), "-c", str(ROOT), program)
        self._run("set-option", "-g", "remain-on-exit", "on")
        self._run("set-option", "-g", "status", "off")
        self._until("help")

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-S", self._socket, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout

    def screen(self) -> str:
        """What stands there once nothing moves any more."""
        before = ""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            time.sleep(_STILL_SECONDS)
            shown = "\n".join(line.rstrip() for line in self._run("capture-pane", "-p").splitlines())
            if shown == before:
                break
            before = shown
        return before

    def _until(self, text: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        while text not in self.screen():
            assert time.monotonic() < deadline, f"{text} does not appear"

    def press(self, *names: str) -> None:
        for name in names:
            self._run("send-keys", _NAMES.get(name, name.capitalize() if len(name) > 1 else name))
            time.sleep(0.1)

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)


def toured() -> str:
    """The screens of the tour, one below the other."""
    parts: list[str] = []
    with TemporaryDirectory() as folder:
        terminal = _Tmux(Path(folder))
        try:
            for stop in STOPS:
                terminal.press(*stop.presses)
                parts.append(f"\n=== {stop.key} ===\n{terminal.screen()}\n")
                terminal.press(*stop.back)
        finally:
            terminal.close()
    return "".join(parts)


if __name__ == "__main__":
    TOUR.write_text(toured(), encoding="utf-8")
