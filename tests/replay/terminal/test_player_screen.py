"""What stands on the player's screen: sizes, redaction, hostile texts, and some screens kept as text."""

import asyncio
import gc
import weakref
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.widget import Widget

from events.game.record import read_record
from events.log.disclosure import PUBLIC, viewer_name
from replay.annotations.moments import Unbound
from replay.commentary.cells import cells
from replay.terminal.player.application import Opening, open_player
from replay.terminal.player.notes import Notes
from replay.terminal.player.panes.board import Board
from replay.terminal.player.panes.screen_lines import SMALLEST, screen_lines
from replay.terminal.player.view_state import open_view
from replay.terminal.table_text import Line
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.terminal.player_at_keys import NARROW, TIMELINE, WIDE, screen, screen_of
from tests.replay.verification.forging import GAME, parsed, relinked
from tests.replay.whole_games import ONE_OF_EACH, timeline_of

KEPT = Path(__file__).parent / "player"
SCREENS = {
    "table": ((), NARROW),
    "trade": (("g", "7", "3", "enter"), NARROW),
    "seat": (("p", "p"), NARROW),
    "knowledge": (("p", "p", "k"), NARROW),
    "perspectives": (("P",), NARROW),
    "help": (("question_mark",), NARROW),
    "german": (("l",), NARROW),
    "end": (("end",), NARROW),
    "choices": (("v",), NARROW),
    "wide": ((), WIDE),
}
"""The screens that are kept, with the keys that lead to them from version 140, and the size."""
HOSTILE = "[red]\x1b[2J\x1b]0;t\x07\u202e[@click=app.quit]\r\x9b31m"


def plain(lines: list[Line]) -> list[str]:
    """The lines without their styles."""
    return ["".join(text for text, _ in line) for line in lines]


@pytest.mark.parametrize("name", SCREENS)
def test_the_screens_are_as_they_were_read(name: str) -> None:
    """A reviewer has read them; `python -m tests.replay.terminal.test_player_screen` writes them anew."""
    keys, size = SCREENS[name]

    assert screen(*keys, size=size) + "\n" == (KEPT / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("colours", [True, False], ids=["colours", "no colours"])
@pytest.mark.parametrize("crop", [Region(0, 0, 160, 50), Region(0, 2, 160, 5), Region(7, 1, 140, 6)], ids=str)
def test_the_board_draws_what_textual_would_draw(
    crop: Region, *, colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves out only what a style sheet could add, and there is none that adds anything."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")

    async def driven() -> None:
        player = open_player(TIMELINE, Opening(140))
        async with player.run_test(size=WIDE):
            board = player.query_one(Board)
            assert bool(board.get_line_filters()) is not colours
            assert board.render_lines(crop) == Widget.render_lines(board, crop)

    asyncio.run(driven())


@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("size", [SMALLEST, NARROW, (100, 30), WIDE, (400, 120)], ids=str)
def test_every_game_fits_every_window(path: Path, size: tuple[int, int]) -> None:
    """Exactly so many lines, none wider than the window, in every system."""
    timeline = timeline_of(path)
    for version in range(1, timeline.last + 1, 37):
        lines = plain(screen_lines(open_view(timeline, version, "de", Notes(TIMELINE)), *size))
        assert len(lines) == size[1]
        assert max(map(cells, lines)) <= size[0]


@pytest.mark.parametrize("size", [(59, 24), (80, 17), (20, 3), (5, 1), (1, 1)], ids=str)
def test_a_window_that_is_too_small_is_told_so(size: tuple[int, int]) -> None:
    """No crash, and keys still work; from a certain size on one can read it."""
    shown = screen("e", "question_mark", "escape", size=size)

    assert size[0] < 20 or "player needs" in shown.replace("\n", " ")


def test_the_layout_follows_the_window() -> None:
    """Resizing shows the same version: in one column, in two, as a request, and again."""

    async def resized() -> None:
        player = open_player(TIMELINE, Opening(140))
        async with player.run_test(size=NARROW) as pilot:
            for size, expected in (
                ((160, 50), " │ "),
                ((40, 10), "player"),
                (NARROW, f"140 of {TIMELINE.last}"),
            ):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                assert expected in screen_of(player)

    asyncio.run(resized())


@pytest.mark.parametrize("viewer", [-1, 1], ids=viewer_name)
@pytest.mark.parametrize("path", ONE_OF_EACH, ids=lambda path: path.parent.name)
def test_a_perspective_shows_no_more_than_its_own_table(path: Path, viewer: int) -> None:
    """Screens of a viewer in the whole record and in the viewer's own record are the same."""
    whole = timeline_of(path)
    own = whole.seen_by(viewer)
    for version in range(1, whole.last + 1, 53):
        step = own.at(version)
        shown = plain(screen_lines(open_view(own, version, "en", Notes(TIMELINE)), *WIDE))
        hands = [
            card for seat, each in enumerate(step.state.seats) if seat != viewer for _, card in each.hand
        ]
        assert f"as {viewer_name(viewer)}" in shown[0]
        assert set(hands) <= {"?"} | _known(whole, version)


def _known(whole: Timeline, version: int) -> set[str]:
    """Cards that everybody has seen come into a hand."""
    return {card for seat in whole.seen_by(-1).at(version).state.seats for _, card in seat.hand}


def hostile_timeline() -> Timeline:
    """A record for everybody whose players are called and say what no terminal should obey, linked anew."""
    lines = parsed(GAME.record(PUBLIC))
    for line in lines:
        entry = line.get("entry", {})
        for said in (entry.get("data", {}), entry.get("command", {})):
            said |= {name: f"{HOSTILE}{said[name]}"[:40] for name in ("name", "text") if name in said}
    return read_timeline(*read_record(relinked(lines)), PUBLIC)


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=str)
def test_no_text_of_a_record_styles_moves_or_breaks_the_screen(size: tuple[int, int]) -> None:
    """Escapes and markup are shown as what they are, on every screen that shows names or talk."""
    timeline = hostile_timeline()
    talk = next(step.version for step in timeline.steps if step.form.entry["type"] == "talked")
    assert timeline.broken is None

    async def toured() -> None:
        player = open_player(timeline, Opening(talk))
        async with player.run_test(size=size) as pilot:
            for keys in (
                (),
                ("P",),
                ("escape", "x"),
                ("escape", "p", "k"),
                ("escape", "v"),
                ("escape", "home"),
            ):
                await pilot.press(*keys)
                shown = screen_of(player)
                assert not set(shown) & set("\x1b\x07\x9b\r\u202e")
                assert "[red]" in shown or keys[-1:] in {("v",), ("home",), ("P",)}

    asyncio.run(toured())


def test_hostile_annotations_are_shown_as_what_they_are(tmp_path: Path) -> None:
    """Their markup and escapes too."""
    path = str(tmp_path / "notes")
    Notes(TIMELINE, path, "[red]Rita").write(140, HOSTILE)
    for keys in ((), ("i",), ("o",)):
        shown = screen(*keys, opening=Opening(140, annotations=path))
        assert "[red]" in shown
        assert not set(shown) & set("\x1b\x07\x9b\r\u202e")


def test_annotations_of_another_game_are_refused(tmp_path: Path) -> None:
    """They are bound to versions of theirs."""
    path = str(tmp_path / "notes")
    Notes(hostile_timeline(), path, "Rita").write(3, "mine")
    with pytest.raises(Unbound, match=r"about the game"):
        Notes(TIMELINE, path, None)


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for kept, (pressed, window) in SCREENS.items():
        (KEPT / f"{kept}.txt").write_text(screen(*pressed, size=window) + "\n", encoding="utf-8")


class _Knot:
    """Something that refers to itself, so that only a search for garbage frees it."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_looked_for_when_nobody_waits() -> None:
    """Where it was left to the player: after a screen, and once no key has been pressed for a while."""

    async def idle() -> None:
        player = open_player(TIMELINE, Opening(140))
        async with player.run_test(size=NARROW) as pilot:
            gone = weakref.ref(_Knot())
            await pilot.press("e")
            for _ in range(200):
                if gone() is None:
                    return
                await pilot.pause(0.05)
        raise AssertionError("nobody has looked for garbage")

    gc.disable()
    try:
        asyncio.run(idle())
    finally:
        gc.enable()
