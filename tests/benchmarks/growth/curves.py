"""A curve: one figure at growing sizes, with what it should look like and what it is made of."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Literal, NamedTuple

import msgspec

Shape = Literal["flat", "linear"]
"""What a curve should be: a figure that does not depend on the size, or one that grows as the size does."""
FLAT = 0.2
"""A curve that grows by no larger power of the size counts as flat: ten times the games, 1.6 times the time."""
LINEAR = 1.1
"""And one that grows by no larger power than this as linear."""


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """A figure at each of some sizes.

    `along` says what the sizes count ("games in the store"); `values` are medians in `unit`, in the order of `sizes`.
    `bottleneck` says what the time goes into, in a sentence.
    """

    name: str
    what: str
    along: str
    unit: str
    sizes: tuple[int, ...]
    values: tuple[float, ...]
    shape: Shape
    bottleneck: str

    @property
    def power(self) -> float:
        """The power of the size with which it grows over the last decade: 0 is flat, 1 is linear."""
        sizes, values = self.sizes[-2:], self.values[-2:]
        return log10(values[1] / values[0]) / log10(sizes[1] / sizes[0])

    @property
    def is_as_it_should_be(self) -> bool:
        """Whether it is flat or linear, as it should be."""
        return self.power <= (FLAT if self.shape == "flat" else LINEAR)


class Kind(NamedTuple):
    """What one curve is about: its name, what it is in words, its unit, its shape, and where the time goes."""

    name: str
    what: str
    unit: str
    shape: Shape
    bottleneck: str


def curves_of(
    kinds: Sequence[Kind], along: str, sizes: Sequence[int], found: Sequence[Mapping[str, float]]
) -> list[Curve]:
    """A curve of each kind; `found` has at each size the value of each by name."""
    return [
        Curve(
            name=kind.name,
            what=kind.what,
            along=along,
            unit=kind.unit,
            sizes=tuple(sizes),
            values=tuple(each[kind.name] for each in found),
            shape=kind.shape,
            bottleneck=kind.bottleneck,
        )
        for kind in kinds
    ]


def as_markdown(curves: list[Curve]) -> str:
    """The curves as a table: a row each, a column for each size."""
    sizes = curves[0].sizes
    head = ["", *(f"{size:,}" for size in sizes), "grows with", "should be", "what it is made of"]
    rows = [head, ["---"] * len(head)]
    for curve in curves:
        values = (f"{value:,.3g} {curve.unit}" for value in curve.values)
        grows = f"size^{max(0.0, curve.power):.2f}"
        said = curve.shape if curve.is_as_it_should_be else f"{curve.shape}, **is not**"
        rows.append([curve.what, *values, grows, said, curve.bottleneck])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
