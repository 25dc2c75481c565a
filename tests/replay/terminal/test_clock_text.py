"""What a clock says in a record: the same to every viewer, also where the game goes back, and a line for a player.

`python -m tests.replay.terminal.test_clock_text` writes the golden file anew; say in the commit why it differs.
"""

import json
from pathlib import Path

import pytest

from events import commands as c
from events.game.log_facts import EMPTY
from events.game.record import read_record
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE
from replay.client.sources import record_lines
from replay.commentary import LANGUAGES, Commentary
from replay.commentary.cells import cells
from replay.commentary.texts import duration
from replay.exports.page.content import build_content
from replay.terminal.clock_text import clock_lines, clock_texts, running_text
from replay.terminal.player.notes import Notes
from replay.terminal.player.panes.screen_lines import screen_lines
from replay.terminal.player.view_state import open_view
from replay.timeline.timeline import Step, Timeline, read_timeline
from tests.replay.commands.commands import run
from tests.support.clocked_games import ClockedGame
from tests.support.recorded_games import RecordedGame

ROOT = Path(__file__).parents[3]
LOG = ROOT / "tests" / "logs" / "classic" / "clocked.ndjson.gz"
GOLDEN = Path(__file__).parent / "clocks.txt"
MOST_SHOWN = 30
"""Clocks in the golden file of each language."""


def timeline(viewer: int = ALL) -> Timeline:
    """The recorded game with a clock, for a viewer."""
    with record_lines(str(LOG)) as lines:
        return read_timeline(*read_record(lines), viewer)


def lines_of(tell: Commentary, step: Step) -> str:
    """What is shown, without styles."""
    return "\n".join("".join(text for text, _ in line) for line in clock_lines(tell, step))


def golden() -> str:
    """The first clocks of each language that differ from what was shown before."""
    whole, shown = timeline(), []
    for language in LANGUAGES:
        tell, texts = Commentary(whole.header.catalogue, language), dict[str, int]()
        for step in whole.steps:
            texts.setdefault(lines_of(tell, step), step.version)
            if len(texts) > MOST_SHOWN:
                break
        shown += [f"{language}, version {version}:{text}" for text, version in texts.items()]
    return "\n".join(shown) + "\n"


def test_a_record_says_what_the_golden_file_says() -> None:
    """Banks, deadlines as dates, and answers that are due, in four languages."""
    assert golden() == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1])
def test_every_viewer_has_the_clock_that_the_log_says(viewer: int) -> None:
    """At every version, also of what is hidden from the viewer: time is no secret."""
    for step, true in zip(timeline(viewer).steps, timeline().steps, strict=True):
        assert step.clock == true.clock
        assert step.version == 1 or step.clock is not None


def gone_back() -> RecordedGame:
    """A game in which all agree to take a move back after some time."""
    game = ClockedGame(5, "classic", 3)
    for _ in range(30):
        game._step(frozenset())  # noqa: SLF001  # as `play` does, but not to the end
    then, version = game.table.state, game.table.version
    while game.table.state.turn < then.turn + 2:
        game._step(frozenset())  # noqa: SLF001

    def send(seat: int, command: c.Command) -> None:
        game.at += 1_000
        game.table, entries = game.table.submit(seat, command, game.at, {version: then}.get)
        game.log += entries

    send(0, c.AskTakeBack(version, seen_confirmed=True))
    for seat in (1, 2):
        send(seat, c.AgreeTakeBack())
    for _ in range(40):
        game._step(frozenset())  # noqa: SLF001
    return RecordedGame(game.table, tuple(game.log))


def test_where_the_game_goes_back_the_clock_goes_on() -> None:
    """Whoever reads the record, from wherever, has what the service had."""
    game = gone_back()
    read = read_timeline(*read_record(game.record()), ALL)
    state, facts, states = INITIAL_STATE, EMPTY, [INITIAL_STATE]
    rewound = 0
    for entry in game.log:
        event = decode_event(entry)
        if entry.type == "game_rewound":
            state, rewound = states[event.to_version], rewound + 1  # type: ignore[attr-defined]
        state = evolve(state, event)
        facts = facts.after(entry, event, state)
        states.append(state)
        assert read.at(entry.version).clock == facts.clock
    assert rewound == 1


def test_no_line_is_wider_than_the_screen() -> None:
    """80 columns, in every language."""
    whole = timeline()
    for language in LANGUAGES:
        tell = Commentary(whole.header.catalogue, language)
        for step in [*whole.steps][::5]:
            assert max(map(cells, lines_of(tell, step).splitlines()), default=0) <= 80


def test_a_game_without_a_clock_says_nothing_of_one() -> None:
    """Neither as text nor as JSON."""
    record = str(ROOT / "tests" / "logs" / "classic" / "three-players.ndjson")
    assert "clock" not in json.loads(run("show", record, "--at", "60", "--json").stdout)
    assert "\nclock  " not in run("show", record, "--at", "60").stdout


def test_show_says_what_was_left() -> None:
    """As text, and as JSON what the service says of it, too."""
    step = timeline().at(60)
    shown = run("show", LOG, "--at", "60", "--json").stdout
    assert step.clock is not None
    assert json.loads(shown)["clock"] == step.clock.as_json()
    text = run("show", LOG, "--at", "60").stdout
    assert "clock          Ann: 0:15, running until 2026-01-01 00:03:33 UTC\n" in text


def test_whoever_is_late_is_not_said_to_have_time_left() -> None:
    """The time is over before somebody records it: the grace is still running, or nobody has looked."""
    whole, late = timeline(), 0
    tell = Commentary(whole.header.catalogue, "en")
    for step in whole.steps:
        at = step.form.entry["at"]
        is_late = step.clock is not None and any(wait.deadline <= at for wait in step.clock.waits)
        texts = clock_texts(tell, step)
        assert any("over since" in text for text in texts) == is_late
        late += is_late
    assert late


def test_an_answer_has_a_time_of_its_own() -> None:
    """What is left for it is said beside what is in the bank, with what it is an answer to."""
    whole = timeline()
    tell, found = Commentary(whole.header.catalogue, "en"), 0
    for step in whole.steps:
        at, waits = step.form.entry["at"], step.clock.waits if step.clock is not None else ()
        for wait in waits:
            if wait.awaited.offer is None or wait.deadline <= at or len(waits) > 1:
                continue
            said = f"; {duration(wait.deadline - at)} to answer offer {wait.awaited.offer}, until "
            assert [text for text in clock_texts(tell, step) if said in text]
            found += 1
    assert found


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (140, 50)])
def test_for_whom_time_runs_is_on_every_screen(size: tuple[int, int]) -> None:
    """Also where the table has no room for the clock: beside the turn."""
    whole = timeline()
    tell = Commentary(whole.header.catalogue, "en")
    for version in (60, 140):
        running = running_text(tell, whole.at(version))
        turn = screen_lines(open_view(whole, version, "en", Notes(whole)), *size)[1]
        assert running
        assert "".join(text for text, _ in turn).endswith(running)


@pytest.mark.parametrize("size", [(80, 60), (140, 50), (80, 24), (60, 18)])
def test_the_player_shows_it_where_there_is_room(size: tuple[int, int]) -> None:
    """A line for each player, or all on one; the screen is as large as ever."""
    whole = timeline()
    tell = Commentary(whole.header.catalogue, "en")
    for version in (60, 140):
        lines = [
            "".join(text for text, _ in line)
            for line in screen_lines(open_view(whole, version, "en", Notes(whole)), *size)
        ]
        assert len(lines) == size[1]
        assert max(map(cells, lines)) <= size[0]
        if size[1] >= 50:
            screen = "\n".join(lines)
            assert all(text in screen for text in clock_texts(tell, whole.at(version)))


def test_a_page_says_it_at_every_version() -> None:
    """The newest value of the part is what the same version says elsewhere."""
    whole = timeline(PUBLIC)
    layer = build_content(whole, "en")["layers"]["open"]
    tell = Commentary(whole.header.catalogue, "en")
    version, told = 0, {}
    for step, change in zip(layer["versions"], layer["changes"], strict=True):
        version += step
        if "clock" in change:
            told[version] = change["clock"]
    assert len(told) > 100
    for version, texts in told.items():
        assert texts == clock_texts(tell, whole.at(version))


if __name__ == "__main__":
    GOLDEN.write_text(golden(), encoding="utf-8")
