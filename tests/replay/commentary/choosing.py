"""What seats could choose in recorded games, in each language: the golden texts of commands.

`python -m tests.replay.commentary.choosing` writes them anew; say in the commit why they differ.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from events.commands import Command
from events.rules.definition.forms import Form
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.table.state import GameState
from replay.commentary import LANGUAGES, Commentary
from replay.commentary.commands import Chooser, describe_command
from replay.timeline.timeline import COMMAND
from tests.replay.commentary.told import NotingMessages
from tests.replay.whole_games import DISPUTED, ONE_OF_EACH, timeline_of

GOLDEN = Path(__file__).parent / "told"
Choice = tuple[Rules, GameState, int, Command | Form]
"""The rules, the table as a seat sees it, the seat, and what it may send."""


@cache
def choices(path: Path) -> tuple[Choice, ...]:
    """Everything that every seat could choose behind each command of a recorded game."""
    return tuple(_choices(path))


def _choices(path: Path) -> Iterator[Choice]:
    whole = timeline_of(path)
    rules = whole.rules
    assert rules is not None
    for version in whole.stops[COMMAND]:
        state = whole.at(version).state
        for seat in range(len(state.seats)):
            seen = whole.seen_by(seat).at(version).state
            for command in legal_commands(rules, state, seat, earlier=None):
                yield rules, seen, seat, command


def golden_texts(language: str) -> tuple[str, set[str]]:
    """The first text of every message in a game of each system and a disputed one; and which messages these are."""
    lines: list[str] = []
    told: set[str] = set()
    for path in (each for pair in zip(ONE_OF_EACH, DISPUTED, strict=True) for each in pair):
        messages = NotingMessages(language)
        tell = Commentary(timeline_of(path).header.catalogue, language, messages)
        lines += [f"== {path.parent.name}"] * (path in ONE_OF_EACH)
        for rules, state, seat, command in choices(path):
            messages.noted.clear()
            text = describe_command(Chooser(tell, rules, state, seat), command)
            used = {key for context, key in messages.noted if context == "command"}
            if used - told:
                lines.append(text)
                told |= used
    return "\n".join(lines) + "\n", told


if __name__ == "__main__":
    for each in LANGUAGES:
        (GOLDEN / f"commands.{each}.txt").write_text(golden_texts(each)[0], encoding="utf-8")
