"""When the next event comes during autoplay: evenly, or as in the recorded game."""

from dataclasses import dataclass, replace
from typing import Final

FACTORS: Final = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256)
"""The factors of speed."""
EVENLY: Final = 1.0
"""Seconds between two events at factor 1."""
SHORTEST: Final = 0.03
LONGEST: Final = 24 * 3600.0
"""Seconds between two events at least and at most."""


@dataclass(frozen=True, slots=True)
class Tempo:
    """The speed of autoplay.

    Attributes:
        playing: whether it runs.
        factor: one of FACTORS.
        recorded: whether the pauses are those of the recorded game, or all alike.
    """

    playing: bool = False
    factor: float = 1
    recorded: bool = False

    def faster(self, places: int) -> "Tempo":
        """The tempo this many places further in FACTORS, or back."""
        place = FACTORS.index(self.factor) + places
        return replace(self, factor=FACTORS[min(max(place, 0), len(FACTORS) - 1)])

    def pause(self, at: int, following: int) -> float:
        """Seconds until the next event; `at` and `following` are the moments of both in the log, in milliseconds.

        >>> Tempo(recorded=True, factor=4).pause(1_000, 9_000)
        2.0
        >>> Tempo(factor=0.5).pause(1_000, 9_000)
        2.0
        """
        seconds = (following - at) / 1000 if self.recorded else EVENLY
        return min(max(seconds / self.factor, SHORTEST), LONGEST)

    @property
    def shown(self) -> str:
        """The tempo in a few characters: `2x`, `recorded 1/4x`."""
        factor = f"{self.factor:g}" if self.factor >= 1 else f"1/{1 / self.factor:g}"
        return f"{'recorded ' if self.recorded else ''}{factor}x"


STILL: Final = Tempo()
"""Autoplay is off."""
