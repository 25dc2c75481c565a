"""What a game says in each language: the golden logs, the records they come from, and which messages were used.

`python -m tests.replay.commentary.told` writes the golden logs anew; say in the commit why they differ.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from events.game.folding import Folding
from events.game.record import Header, read_record
from events.log.disclosure import ALL
from events.log.redacted import event_in
from events.rules.table.state import GameState
from replay.client.sources import record_lines
from replay.commentary import LANGUAGES, Commentary
from replay.commentary.messages import Messages
from replay.records.hidden import redact
from tests.replay.commands.commands import ROOT

LOGS = ROOT / "tests" / "logs"
GOLDEN = Path(__file__).parent / "told"
WHOLE = sorted(
    path for path in LOGS.glob("*/*.ndjson*") if ".public." not in path.name and ".seat-" not in path.name
)
"""The recorded games of which everything is known."""

TELLING = {"event", "part", "phase", "card", "ending", "dispute", "ruling"}
"""Contexts of which a reader has read every message once, in a sentence."""


class NotingMessages(Messages):
    """The messages of a language, which note what was asked of them."""

    def __init__(self, language: str) -> None:
        """Begin with nothing noted."""
        super().__init__(language)
        self.noted: set[tuple[str, str]] = set()
        self.values: dict[tuple[str, str], set[str]] = {}

    def say(self, context: str, key: str, /, **values: Any) -> str:
        """Note the message and the variables offered to it, and say it."""
        self.noted.add((context, key))
        self.values.setdefault((context, key), set()).update(values)
        return super().say(context, key, **values)


@cache
def record_of(path: Path) -> tuple[Header, tuple[Any, ...]]:
    """A recorded game: its header and its forms."""
    with record_lines(str(path)) as lines:
        header, forms = read_record(lines)
        return header, tuple(forms)


def steps(path: Path, viewer: int = ALL) -> Iterator[tuple[GameState, Any]]:
    """Each event of a recorded game as a viewer has it, with the table after it."""
    folding = Folding()
    for form in record_of(path)[1]:
        event = event_in(redact(form, viewer).entry)
        yield folding.follow(event, begins="command" in form.entry), event


def golden_log(language: str) -> str:
    """The first sentence of every kind in the recorded games, system by system."""
    lines: list[str] = []
    told: set[tuple[str, str]] = set()
    for folder in sorted({path.parent for path in WHOLE}):
        lines += [f"== {folder.name}"]
        for path in (path for path in WHOLE if path.parent == folder):
            messages = NotingMessages(language)
            tell = Commentary(record_of(path)[0].catalogue, language, messages)
            for state, event in steps(path):
                messages.noted.clear()
                sentence = tell.sentence(state, event)
                if {each for each in messages.noted if each[0] in TELLING} - told:
                    lines.append(sentence)
                    told |= messages.noted
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in LANGUAGES:
        (GOLDEN / f"{each}.txt").write_text(golden_log(each), encoding="utf-8")
