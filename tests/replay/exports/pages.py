"""Reading an exported page as its script does, so that tests can ask what it says at a version."""

import json
import re
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import Any

from events.log.disclosure import ALL, viewer_name
from replay.annotations.book import AnnotationBook
from replay.exports.page.writer import write_page
from replay.timeline.timeline import Timeline
from tests.replay.annotations.writing import Writer, set_id
from tests.replay.whole_games import timeline_of

BLOCK = re.compile(r'<script type="application/json" id="record">(.*?)</script>', re.DOTALL)


def page_of(timeline: Timeline, language: str = "en") -> str:
    """The page of a timeline."""
    output = BytesIO()
    write_page(timeline, language, output)
    return output.getvalue().decode()


def data_in(page: str) -> dict[str, Any]:
    """The data of a page."""
    found: dict[str, Any] = json.loads(BLOCK.findall(page)[0])
    return found


def summed(steps: list[int]) -> list[int]:
    """Numbers from the steps between them."""
    found: list[int] = []
    for step in steps:
        found.append(step + (found[-1] if found else 0))
    return found


class Reading:
    """A page gone through from its first version on, as one perspective sees it."""

    def __init__(self, data: dict[str, Any], perspective: str) -> None:
        """Begin before the first version."""
        layers = data["layers"]
        names = (
            ["open", *sorted(layers.keys() - {"open", "all"}), "all"]
            if perspective == "all"
            else ["open", perspective]
        )
        self._names = [name for name in names if name in layers]
        self._changes = {
            name: dict(zip(summed(layers[name]["versions"]), layers[name]["changes"], strict=True))
            for name in self._names
        }
        self._texts = {
            name: dict(zip(summed(layers[name]["said"]), layers[name]["texts"], strict=True))
            for name in {"open", perspective} & layers.keys()
        }
        self._parts: dict[str, dict[str, Any]] = {name: {} for name in self._names}
        self._data, self._perspective = data, perspective

    def table(self, version: int) -> dict[str, Any]:
        """The table at the next version."""
        seen: dict[str, Any] = {}
        for name in self._names:
            parts = self._parts[name]
            for part, value in self._changes[name].get(version, {}).items():
                if value is None:
                    del parts[part]
                else:
                    parts[part] = value
            seen |= parts
        return {part: value for part, value in seen.items() if value is not False}

    def sentence(self, version: int) -> str:
        """What is told at a version."""
        own = self._texts.get(self._perspective, {}).get(version, self._texts["open"].get(version))
        text: str = self._data["texts"][own]
        return text


def names_of(timeline: Timeline) -> list[str]:
    """All perspectives of a whole record."""
    seats = len(timeline.at(1).state.seats)
    return [viewer_name(viewer) for viewer in (ALL, -1, *range(seats))]


def annotated_by(path: Path, *writers: Writer) -> Timeline:
    """A recorded game of which these have written."""
    timeline = timeline_of(path)
    recording = copy(timeline.recording)
    entries = [entry for writer in writers for entry in writer.written.entries]
    recording.annotations = AnnotationBook.of(timeline.header.game, entries)
    return Timeline(recording, ALL)


def writer_about(path: Path, letter: str = "a", **author: Any) -> Writer:
    """Somebody who writes about a recorded game."""
    timeline = timeline_of(path)
    hashes = {version: timeline.at(version).form.hash for version in range(1, timeline.last + 1)}
    return Writer(set_id(letter), game=timeline.header.game, hashes=hashes, **author)
