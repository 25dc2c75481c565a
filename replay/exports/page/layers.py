"""Several perspectives of one game, stored so that nothing stands in a page twice.

What everybody sees is the layer `open`. A seat has a layer with what it sees otherwise, which is little more than its
hand; whoever sees everything has one with what no seat sees either. So the table of a seat is the open layer with the
seat's on top of it, and the whole table is the open layer with those of all seats and `all` on top. That this is
exactly what each viewer sees is not assumed: a layer holds every difference there is.

A layer holds changes only. In a layer above the open one null ends a difference, and false says that a part that
others see is not there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.exports.page.scene import Change, rank

OPEN: Final = "open"
"""The layer that every perspective stands on."""
ABSENT: Final = False
"""In place of a part that is not there for this viewer, though others see it."""


class Layer:
    """How one layer changes from version to version.

    Attributes:
        parts: what it holds now.
        versions: the versions at which parts of the table change.
        changes: what changes there: the new value of each part, None for one that is gone.
        told: for each version at which it has a sentence of its own, the number of its text.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.parts: dict[str, Any] = {}
        self.versions: list[int] = []
        self.changes: list[dict[str, Any]] = []
        self.told: dict[int, int] = {}

    def go_on(self, version: int, change: Change) -> None:
        """Take what changes at the next version, each part for another value, or None for one that ends."""
        if not change:
            return
        parts = self.parts
        if len(change) > 1:
            change = {
                name: change[name] for name in sorted(change, key=lambda name: self._place(name, change))
            }
        self.versions.append(version)
        self.changes.append(dict(change))
        for name, value in change.items():
            if value is None:
                del parts[name]
            else:
                parts[name] = value

    def _place(self, name: str, change: Change) -> tuple[bool, bool, tuple[int, int]]:
        """Where a part stands in a change: in a scene's order what is there, what is absent, what is gone."""
        value = change[name]
        gone = value is None
        return gone, (self.parts[name] if gone else value) is ABSENT, rank(name)

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
        self._seats = [viewer for viewer in viewers if viewer >= 0 and viewer != self._under]
        self._seen: dict[int, dict[str, Any]] = {viewer: {} for viewer in viewers}

    def change(self, version: int, changes: Mapping[int, Change]) -> None:
        """Take what is not as it was in the scene of each viewer at the next version."""
        for viewer, change in changes.items():
            self._seen[viewer].update(change)
        opened, open_layer = changes[self._under], self._layers[self._under]
        below = [self._seen[self._under]]
        touched = {**opened}
        for seat in self._seats:
            own = changes[seat]
            names = opened if own is opened else {**opened, **own}
            touched |= self._lay(version, seat, names, below)
        if ALL in self._layers and self._under != ALL:
            below += [self._layers[seat].parts for seat in self._seats]
            self._lay(version, ALL, {**touched, **changes[ALL]}, below)
        open_layer.go_on(version, opened)

    def tell_all(self, version: int, text: int) -> None:
        """Take which text tells all viewers of the next version."""
        self._layers[self._under].told[version] = text

    def tell(self, version: int, texts: Mapping[int, int]) -> None:
        """Take which text tells each viewer of the next version."""
        told = texts[self._under]
        self._layers[self._under].told[version] = told
        for viewer, text in texts.items():
            if text != told:
                self._layers[viewer].told[version] = text

    def tell_anew(self, number_of: Callable[[int, int], int]) -> None:
        """Put another text in the place of each one; what is another text at a version stays another one.

        They are asked for version by version, and of one version in the order of the viewers.
        """
        told = {viewer: layer.told for viewer, layer in self._layers.items()}
        under = told[self._under]
        for layer in self._layers.values():
            layer.told = {}
        for version, text in under.items():
            self.tell(
                version,
                {viewer: number_of(version, told[viewer].get(version, text)) for viewer in self.viewers},
            )

    def stored(self) -> dict[str, Any]:
        """All layers by their names."""
        return {
            OPEN if viewer == self._under else viewer_name(viewer): layer.stored()
            for viewer, layer in self._layers.items()
        }

    def _lay(
        self, version: int, viewer: int, names: Iterable[str], below: Sequence[Mapping[str, Any]]
    ) -> Change:
        """Lay what a viewer sees of these parts on top of what is below, the lowest first; what that changes."""
        layer, seen, change = self._layers[viewer], self._seen[viewer], {}
        for name in names:
            above = difference(seen.get(name), find_below(name, below))
            before = layer.parts.get(name)
            if above is not before and (above is ABSENT or before is ABSENT or above != before):
                change[name] = above
        layer.go_on(version, change)
        return change


def find_below(name: str, layers: Sequence[Mapping[str, Any]]) -> Any:
    """What is seen of a part in layers on top of one another, the lowest first; None where it is not there."""
    found = None
    for layer in layers:
        found = layer.get(name, found)
    return None if found is ABSENT else found


def difference(seen: Any, below: Any) -> Any:
    """What has to lie on top of a part below for a viewer to see this; None where nothing has to."""
    if seen is below or seen == below:
        return None
    return ABSENT if seen is None else seen


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
