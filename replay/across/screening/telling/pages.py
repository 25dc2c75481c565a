"""Pages of the games to which a screen points, each of which opens at its moment: for records without a service."""

from pathlib import Path
from typing import Final
from urllib.parse import quote

from replay.across.left import NotTaken
from replay.across.screening.comparing.screen import Screen
from replay.across.source import GameSource
from replay.exports.page.writer import Page
from replay.platform.output_file import PAGE, OutputRefused, open_output
from replay.records.hidden import parse_viewer
from replay.timeline.recording import Recording
from replay.timeline.timeline import Timeline

LANGUAGE: Final = "en"
"""What the screen itself is written in."""


def write_pages(
    screen: Screen, source: GameSource, folder: Path, *, force: bool | None = None
) -> dict[str, str]:
    """Write a page of each game with a moment of a pair that stands out; the addresses of the files, by game.

    Each is what `fieldbook replay export --to html` makes, and shows names. An earlier page is replaced.

    Raises:
        OutputRefused: the folder cannot be made, or a file that is not a page has a page's name.
        OutputFailed: a page cannot be written.
        OSError: a game can no longer be read.
        RecordBroken: what is read now is no record.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputRefused(f"There can be no folder {folder}: {error.strerror}.") from error
    names = {seen.game: seen.source for pair in screen.standing_out for seen in pair.moments}
    return {
        game: _write_page(source, name, folder / f"{quote(game, safe='')}.html", force=force)
        for game, name in names.items()
    }


def _write_page(source: GameSource, name: str, path: Path, *, force: bool | None) -> str:
    page = Page(LANGUAGE)
    try:
        with source.open(name) as opened:
            timeline = Timeline(Recording(opened.header), parse_viewer(opened.header.scope))
            timeline.recording.read(opened.forms, follow=page.begin(timeline))
    except NotTaken as error:
        raise OSError(str(error)) from error
    with open_output(path, PAGE, force=force) as file:
        page.write(file)
    return path.resolve().as_uri()
