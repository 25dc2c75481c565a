"""Places for what is open or under way at once in this process: nobody, whatever they are counted by, takes them all.

Who takes a place takes one of every share that it counts in, or none at all; so it is where bytes are counted.
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

    def take(self, shares: Mapping[str, int], size: int = 1) -> str | None:
        """Take a place, or so many, in each of these shares, each of so many at most; else the name of a full one."""
        with self._lock:
            full = next((name for name, most in shares.items() if self._open[name] + size > most), None)
            if full is None:
                self._open.update(dict.fromkeys(shares, size))
        return full

    def give_back(self, names: Iterable[str], size: int = 1) -> None:
        """Give a place, or so many, of each of these shares back."""
        with self._lock:
            for name in names:
                self._open[name] -= size
                if not self._open[name]:
                    del self._open[name]
