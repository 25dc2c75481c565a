"""Several perspectives of one game, stored so that nothing stands in a page twice.

What everybody sees is the layer `open`. A seat has a layer with what it sees otherwise, which is little more than its
hand; whoever sees everything has one with what no seat sees either. So the table of a seat is the open layer with the
seat's on top of it, and the whole table is the open layer with those of all seats and `all` on top. That this is
exactly what each viewer sees is not assumed: a layer holds every difference there is.

A layer holds changes only. In a layer above the open one null ends a difference, and false says that a part that
others see is not there.
"""

from collections.abc import Iterable, Mapping
from operator import is_
from typing import Any, Final

from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.exports.page.scene import Scene

OPEN: Final = "open"
"""The layer that every perspective stands on."""
ABSENT: Final = False
"""In place of a part that is not there for this viewer, though others see it."""
_NOTHING: Final = object()


class Layer:
    """How one layer changes from version to version.

    Attributes:
        versions: the versions at which parts of the table change.
        changes: what changes there: the new value of each part, None for one that is gone.
        told: for each version at which it has a sentence of its own, the number of its text.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.versions: list[int] = []
        self.changes: list[dict[str, Any]] = []
        self.told: dict[int, int] = {}
        self._parts: Mapping[str, Any] = {}

    def go_on(self, version: int, parts: Mapping[str, Any]) -> None:
        """Take what the layer holds at the next version."""
        before = self._parts
        if parts is before:
            return
        change = {name: value for name, value in parts.items() if before.get(name, _NOTHING) != value}
        change |= {name: None for name in before if name not in parts}
        self._parts = parts
        if change:
            self.versions.append(version)
            self.changes.append(change)

    def stored(self) -> dict[str, Any]:
        """The layer as it stands in the page; versions as the steps between them."""
        return {
            "versions": steps_between(self.versions),
            "changes": self.changes,
            "said": steps_between(self.told),
            "texts": [*self.told.values()],
        }


class Layers:
    """The layers of a page, filled version by version.

    Attributes:
        viewers: the perspectives that the page offers, the one to begin with first.
    """

    def __init__(self, viewers: tuple[int, ...]) -> None:
        """Hold these perspectives: one alone, or all that a whole record has."""
        self.viewers = viewers
        self._under = PUBLIC if PUBLIC in viewers else viewers[0]
        self._layers = {viewer: Layer() for viewer in viewers}
        self._above: dict[int, dict[str, Any]] = {viewer: {} for viewer in viewers}
        self._seen: dict[int, tuple[Scene, ...]] = {}

    def go_on(self, version: int, scenes: Mapping[int, Scene], texts: Mapping[int, int]) -> None:
        """Take what each viewer sees after the next version, and which text tells it."""
        under, layers = self._under, self._layers
        layers[under].go_on(version, scenes[under])
        layers[under].told[version] = texts[under]
        seats = [viewer for viewer in self.viewers if viewer >= 0 and viewer != under]
        for viewer in seats:
            self._lay(version, viewer, scenes, [scenes[under]])
            if texts[viewer] != texts[under]:
                layers[viewer].told[version] = texts[viewer]
        if ALL in layers and under != ALL:
            self._lay(version, ALL, scenes, [scenes[under], *(self._above[seat] for seat in seats)])
            layers[ALL].told |= {version: texts[ALL]} if texts[ALL] != texts[under] else {}

    def stored(self) -> dict[str, Any]:
        """All layers by their names."""
        return {
            OPEN if viewer == self._under else viewer_name(viewer): layer.stored()
            for viewer, layer in self._layers.items()
        }

    def _lay(
        self, version: int, viewer: int, scenes: Mapping[int, Scene], below: list[Mapping[str, Any]]
    ) -> None:
        """Lay what a viewer sees on top of what is below."""
        sources = (scenes[viewer], *below)
        if len(sources) == len(self._seen.get(viewer, ())) and all(map(is_, sources, self._seen[viewer])):
            return
        self._seen[viewer] = sources
        above = difference(scenes[viewer], laid(below))
        if above != self._above[viewer]:
            self._above[viewer] = above
            self._layers[viewer].go_on(version, above)


def laid(layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Layers on top of one another, the lowest first."""
    seen: dict[str, Any] = {}
    for layer in layers:
        seen |= layer
    return {name: value for name, value in seen.items() if value is not ABSENT}


def difference(seen: Scene, below: Mapping[str, Any]) -> dict[str, Any]:
    """What has to lie on top of the layers below for a viewer to see this."""
    above = {name: value for name, value in seen.items() if below.get(name, _NOTHING) != value}
    return above | {name: ABSENT for name in below if name not in seen}


def steps_between(numbers: Iterable[int]) -> list[int]:
    """Each number as its distance from the one before, the first from 0.

    >>> steps_between([3, 4, 9])
    [3, 1, 5]
    """
    found, last = [], 0
    for number in numbers:
        found.append(number - last)
        last = number
    return found
