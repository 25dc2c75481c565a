"""A page holds what each table and each entry alone say, to the byte, though it is made from what changed only."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest

from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.client.sources import record_lines
from replay.commentary import Commentary
from replay.exports.page.cards import Cards
from replay.exports.page.content import Drawing, build_content
from replay.exports.page.layers import OPEN, steps_between
from replay.exports.page.scene import Scenes
from replay.records.effective_history import DISCARDED
from replay.terminal.clock_text import clock_texts
from replay.terminal.table_text import phase_of
from replay.timeline.timeline import Timeline, read_timeline, step_sentence
from tests.replay.whole_games import DISPUTED, FOLDER, GAMES, timeline_of

CLOCKED = FOLDER / "classic" / "clocked.ndjson.gz"


class Slowly:
    """The same from each table alone: every part of every scene is made, for every viewer at every version."""

    def __init__(self, timeline: Timeline, viewers: Iterable[int], language: str) -> None:
        """Go through the game."""
        tell = Commentary(timeline.header.catalogue, language)
        cards, texts = Cards(tell), dict[str, int]()
        seen_by = {viewer: timeline.seen_by(viewer) for viewer in viewers}
        self.changes: dict[int, list[tuple[int, dict[str, Any]]]] = {viewer: [] for viewer in seen_by}
        self.told: dict[int, list[tuple[int, int]]] = {viewer: [] for viewer in seen_by}
        self._held: dict[int, dict[str, Any]] = {viewer: {} for viewer in seen_by}
        scenes: dict[int, Mapping[str, Any]] = {}
        before = None
        for version in range(1, timeline.last + 1):
            moment = timeline.recording.at(version).moment
            steps = {viewer: each.at(version) for viewer, each in seen_by.items()}
            phase = phase_of(steps[timeline.viewer])
            tables = (moment.whole, moment.public, moment.clock, phase)
            # What a clock says is told anew with the table, not with every word of talk.
            if before is None or any(one is not other for one, other in zip(tables, before, strict=True)):
                before = tables
                scenes = {
                    viewer: Scenes(tell, cards, timeline.rules).scene(
                        step.state, phase, clock_texts(tell, step)
                    )
                    for viewer, step in steps.items()
                }
            told = {
                viewer: texts.setdefault(step_sentence(tell, step), len(texts))
                for viewer, step in steps.items()
            }
            self._lay(version, scenes, told)
        self.cards, self.texts = cards.known, [*texts]

    def _lay(self, version: int, scenes: Mapping[int, Mapping[str, Any]], told: Mapping[int, int]) -> None:
        """Lay the scenes on one another: the public's, on it those of the seats, on all of them the whole one."""
        first, *others = sorted(scenes, key=lambda viewer: (viewer == ALL, viewer))
        self._hold(version, first, scenes[first])
        self.told[first].append((version, told[first]))
        for viewer in others:
            below = [scenes[first], *(self._held[each] for each in others if viewer == ALL and each != ALL)]
            self._hold(version, viewer, above(scenes[viewer], below))
            if told[viewer] != told[first]:
                self.told[viewer].append((version, told[viewer]))

    def _hold(self, version: int, viewer: int, parts: Mapping[str, Any]) -> None:
        before = self._held[viewer]
        change = {name: part for name, part in parts.items() if not same(before.get(name), part)}
        change |= {name: None for name in before if name not in parts}
        self._held[viewer] = dict(parts)
        if change:
            self.changes[viewer].append((version, change))

    def layers(self) -> dict[str, Any]:
        """All layers as they stand in a page."""
        under = min(self.changes, key=lambda viewer: (viewer == ALL, viewer))
        return {
            OPEN if viewer == under else viewer_name(viewer): {
                "versions": steps_between(version for version, _ in changes),
                "changes": [change for _, change in changes],
                "said": steps_between(version for version, _ in self.told[viewer]),
                "texts": [text for _, text in self.told[viewer]],
            }
            for viewer, changes in self.changes.items()
        }


def above(scene: Mapping[str, Any], layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What has to lie on these layers for a scene to be seen; False hides what is not in it."""
    below: dict[str, Any] = {}
    for layer in layers:
        below |= layer
    shown = {name: part for name, part in below.items() if part is not False}
    found = {name: part for name, part in scene.items() if not same(shown.get(name), part)}
    return found | {name: False for name in shown if name not in scene}


def same(one: object, other: object) -> bool:
    """Whether two parts are the same; a number is not what hides a part."""
    return one == other and (one is False) == (other is False)


@pytest.mark.deep
@pytest.mark.parametrize("path", [*GAMES, CLOCKED], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_page_is_what_every_table_alone_makes_it(path: Any) -> None:
    """Scenes, layers, cards and sentences, in the same order, for all perspectives together and for some alone."""
    whole = timeline_of(path)
    everybody = (ALL, PUBLIC, *range(len(whole.at(1).state.seats)))
    for timeline, viewers, language in (
        (whole, everybody, "en"),
        (whole.seen_by(PUBLIC), (PUBLIC,), "de"),
        (whole.seen_by(0), (0,), "fr"),
    ):
        slowly, content = Slowly(timeline, viewers, language), build_content(timeline, language)
        for made, expected in (
            (content["layers"], slowly.layers()),
            (content["texts"], slowly.texts),
            (content["cards"], slowly.cards),
        ):
            assert msgspec.json.encode(made) == msgspec.json.encode(expected)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
@pytest.mark.parametrize("path", [DISPUTED[0], CLOCKED], ids=lambda path: path.stem)
def test_a_page_drawn_while_its_record_is_read_is_the_one_drawn_afterwards(path: Any, viewer: int) -> None:
    """Also where the game goes back: only then it is known what does not count, and the page has told it already."""
    drawing = Drawing("it")
    with record_lines(str(path)) as lines:
        timeline = read_timeline(*read_record(lines), viewer, begin=drawing.begin)
    drawn = msgspec.json.encode(drawing.content())
    assert drawn == msgspec.json.encode(build_content(timeline, "it"))
    assert (DISCARDED.encode() in drawn) == bool(timeline.recording.rewindings)
