"""Places for what is open or under way at once in this process: nobody, whatever they are counted by, takes them all.

Who takes a place takes one of every share that it counts in, or none at all.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from threading import Lock


class Places:
    """Counts of what is open, by share; safe to use from many threads."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        self._open: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, shares: Mapping[str, int]) -> str | None:
        """Take a place in each of these shares, each of so many at most; else the name of one that is full."""
        with self._lock:
            full = next((name for name, most in shares.items() if self._open[name] >= most), None)
            if full is None:
                self._open.update(shares.keys())
        return full

    def give_back(self, names: Iterable[str]) -> None:
        """Give a place of each of these shares back."""
        with self._lock:
            for name in names:
                self._open[name] -= 1
                if not self._open[name]:
                    del self._open[name]
