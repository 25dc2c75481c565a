"""The table of a run: Markdown for people, JSON for programs."""

import json

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.table import Table, as_json, as_markdown, in_short

COMMAND = "python -m tests.benchmarks --only fold"


def table() -> Table:
    """One row that is reached, one that is missed, one without its peer, and a benchmark that failed."""
    fast = Figure(what="events evolved", unit="events/s", values=(120_000.0, 100_000.0, 110_000.0))
    slow = Figure(what="its peer", unit="events/s", values=(60_000.0, 50_000.0, 100_000.0))
    waited = Figure(what="until ready", unit="s", values=(3.456,))
    rows = (
        Comparison(name="fold", ours=fast, beside=slow, goal=Goal(at_least=1.5), command=COMMAND),
        Comparison(
            name="start", ours=waited, beside=None, goal=Goal(of="figure", at_most=3.0), command=COMMAND
        ),
        Comparison(
            name="replay",
            ours=fast,
            beside=None,
            goal=Goal(at_least=1.0),
            command=COMMAND,
            notes=("a peer: not installed",),
        ),
    )
    return Table(
        machine={"cores": "2"}, rounds=3, rows=rows, failed={"memory": "OSError: no room for a | here"}
    )


def test_each_row_says_what_was_measured_beside_what_and_whether_that_is_enough() -> None:
    """Figures with their spread, ratios with theirs, the goal, and how to measure it alone."""
    lines = as_markdown(table()).splitlines()

    assert lines[0].startswith("| row | ours | beside it | ratio | goal |")
    assert lines[2] == (
        "| fold | events evolved: 110,000 events/s (100,000 to 120,000) | its peer: 60,000 events/s (50,000 to"
        " 100,000) | 2 (1.1 to 2) | ratio at least 1.5 | reached | `python -m tests.benchmarks --only fold` |"
    )
    assert "| until ready: 3.46 s |  |  | at most 3 | **missed** |" in lines[3]
    assert "| ratio at least 1 | not measured |" in lines[4]


def test_below_the_table_stand_what_failed_the_notes_and_the_machine() -> None:
    """Whoever reads a figure has to know what it was measured on."""
    text = as_markdown(table())

    assert "- `memory` could not be measured: OSError: no room for a | here\n" in text
    assert "- `replay`: a peer: not installed\n" in text
    assert "Medians of 3 rounds" in text
    assert text.endswith("- cores: 2\n")


def test_json_has_every_round_and_what_follows_from_them() -> None:
    """A program need not compute a median, and can."""
    document = json.loads(as_json(table()))

    fold, start, replay = document["rows"]
    assert fold["ours"]["values"] == [120_000.0, 100_000.0, 110_000.0]
    assert (fold["ours"]["median"], fold["ratio"], fold["reached"]) == (110_000.0, 2.0, True)
    assert fold["goal"] == {"of": "ratio", "at_least": 1.5, "at_most": None}
    assert (start["beside"], start["ratio"], start["reached"]) == (None, None, False)
    assert replay["reached"] is None
    assert document["failed"] == {"memory": "OSError: no room for a | here"}
    assert document["machine"] == {"cores": "2"}


def test_a_row_in_short_is_one_line() -> None:
    """For whoever waits for the others."""
    first, second, third = map(in_short, table().rows)

    assert first.startswith("fold: 110,000 events/s (100,000 to 120,000), 2 of 60,000 events/s")
    assert second == "start: 3.46 s: missed (at most 3)"
    assert third.endswith("not measured (ratio at least 1)")
