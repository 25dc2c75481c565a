"""What of a record counts: where the game went back, the entries in between are a discarded stretch."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from events.domain_events import GameRewound
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent

DISCARDED: Final = "\N{BALLOT X}"
"""Stands in front of what was discarded when the game went back."""
_REWOUND: Final = "game_rewound"


@dataclass(frozen=True, slots=True)
class Rewinding:
    """The game went back.

    Attributes:
        begun: the version of the first entry of the command that did it.
        version: the version of `game_rewound`.
        to_version: the version that it went back to.
    """

    begun: int
    version: int
    to_version: int


class EffectiveHistory:
    """Which entries count when the log stands at a version."""

    def __init__(self, rewindings: Iterable[Rewinding]) -> None:
        """Take the rewindings up to that version, in order; what one discards may hold others."""
        self._stretches: list[tuple[int, int]] = []
        self._aside: list[tuple[int, int]] = []
        for each in rewindings:
            while self._aside and self._aside[-1][0] > each.to_version:
                self._aside.pop()
            while self._stretches and self._stretches[-1][0] > each.to_version:
                self._stretches.pop()
            if each.to_version + 1 < each.begun:
                self._stretches.append((each.to_version + 1, each.begun - 1))
            if each.to_version + 1 < each.version:
                self._aside.append((each.to_version + 1, each.version - 1))

    @property
    def discarded(self) -> tuple[tuple[int, int], ...]:
        """The discarded stretches: the first and the last version of each, in order."""
        return tuple(self._stretches)

    def __contains__(self, version: object) -> bool:
        """Whether the entry of this version counts."""
        return isinstance(version, int) and not _within(self._stretches, version)

    def select_effective(self, versions: Iterable[int]) -> Iterator[int]:
        """Those of these versions whose events lead to the table, one after the other.

        Of the command that went back only what happened from there on: what comes before it in that command counts,
        but happened on the table that was left.
        """
        return (version for version in versions if not _within(self._aside, version))


def _within(stretches: list[tuple[int, int]], version: int) -> bool:
    place = bisect_right(stretches, (version, float("inf")))
    return place > 0 and version <= stretches[place - 1][1]


def find_rewindings(entries: Iterable[RecordedEvent]) -> Iterator[Rewinding]:
    """Where the game of a log went back."""
    begun = 0
    for entry in entries:
        begun = entry.version if entry.command else begun
        if entry.type == _REWOUND and isinstance(event := decode_event(entry), GameRewound):
            yield Rewinding(begun, entry.version, event.to_version)


def mark_discarded(text: str, *, counts: bool) -> str:
    """A sentence, with a cross in front if what it tells does not count any more."""
    return text if counts else f"{DISCARDED} {text}"


EVERYTHING: Final = EffectiveHistory(())
"""Of a game that never went back."""
