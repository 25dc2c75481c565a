"""One limit for all: what the service accepts, the worker, the archive and both verifiers read."""

import re

import pytest

from events.game import limits
from events.game.log_facts import count_hidden
from events.game.record import LONGEST_LINE, MOST_ANNOTATED, MOST_ATTACHED
from events.game.rewindable_history import REACH
from events.rules.systems.registry import BY_KEY
from replay.client import sources
from replay.records import pinned, shape
from replay.verification import verification
from service.http.messages.reading import LARGEST_UPLOAD
from service.play import budgets
from tests.support.recorded_games import recorded_game
from tests.support.second_verifier import FOLDER


def test_both_verifiers_read_as_much() -> None:
    """The second has no code of the first, but the same figures."""
    text = (FOLDER / "verifier.mjs").read_text(encoding="utf-8")
    found = {name: int(number) for name, number in re.findall(r"\b([A-Z_]{5,}) = ([\d_]+)\b", text)}
    expected = {
        "LONGEST_LINE": LONGEST_LINE,
        "LARGEST_RECORD": limits.LARGEST_RECORD,
        "MOST_ATTACHED": MOST_ATTACHED,
        "MOST_ANNOTATED": MOST_ANNOTATED,
        "MOST_ENTRIES": limits.MOST_ENTRIES,
        "REACH": REACH,
        "LONGEST_TEXT": shape.LONGEST_TEXT,
        "MOST_MEMBERS": shape.MOST_MEMBERS,
        "DEEPEST_ENTRY": shape.DEEPEST,
        "LARGEST_DECK": pinned.LARGEST_DECK,
    }
    assert {name: found[name] for name in expected} == expected


def test_what_a_full_log_makes_is_read_everywhere() -> None:
    """Each limit lies within the next one: of play, of its record, of what is uploaded, of what is read."""
    assert (budgets.MOST_ENTRIES, budgets.MOST_BYTES) == (limits.FULL_ENTRIES, limits.FULL_BYTES)
    assert (sources.LARGEST, vars(verification)["MOST_ENTRIES"]) == (
        limits.LARGEST_RECORD,
        limits.MOST_ENTRIES,
    )
    assert limits.FULL_ENTRIES + limits.BEYOND_ENTRIES <= limits.MOST_ENTRIES
    assert limits.LARGEST_PLAYED <= LARGEST_UPLOAD <= limits.LARGEST_RECORD


@pytest.mark.parametrize("system", BY_KEY)
def test_no_line_is_longer_than_the_bound_is_made_of(system: str) -> None:
    """In every scope: what the log counts, a frame, and so much for each hidden value."""
    game = recorded_game(21, BY_KEY[system].players[-1], (), 40, system=system)
    assert game.table.log.hidden == sum(map(count_hidden, game.log)) > 100
    for viewer in game.scopes:
        _, *lines, _ = game.record(viewer)
        for entry, line in zip(game.log, lines, strict=True):
            room = limits.LARGEST_FRAME + count_hidden(entry) * limits.LARGEST_HIDDEN
            assert len(line) <= len(entry.data) + len(entry.command) + room, line
