"""Answers that are kept because they will never be other ones, and took long to make: those asked for last.

What a page draws of a finished game takes a second of a processor, and is the same for everybody who asks. It is kept
packed: that takes some milliseconds, and a tenth of the room.
"""

import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

PACKING = 1
"""Of zlib: the quickest."""


class KeptAnswers:
    """Contents by what they are about, packed of so many bytes together at most; safe to use from many threads."""

    def __init__(self, most_bytes: int) -> None:
        """Begin with none. What alone takes more than a quarter of these bytes is not kept."""
        self._most = most_bytes
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, about: Hashable, make: Callable[[], bytes]) -> bytes:
        """What is kept about this, or else what `make` makes of it."""
        with self._lock:
            known = self._kept.get(about)
            if known is not None:
                self._kept.move_to_end(about)
        if known is not None:
            return zlib.decompress(known)
        made = make()
        packed = zlib.compress(made, PACKING)
        if len(packed) <= self._most // 4:
            self._keep(about, packed)
        return made

    def _keep(self, about: Hashable, content: bytes) -> None:
        with self._lock:
            before = self._kept.pop(about, b"")
            self._kept[about] = content
            self._bytes += len(content) - len(before)
            while self._bytes > self._most:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= len(oldest)
