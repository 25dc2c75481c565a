"""What was read lately, by name, as far as it has room: what many ask for is read once.

Who asks for something that is being read waits for it, and gets the same; so a file or log of many megabytes is in
memory once, however many want it, and only so many different ones are read at the same time.
"""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock, Semaphore
from typing import Final, Generic, TypeVar

AT_ONCE: Final = 2
"""Readings under way at once: Python runs one thread at a time, so that more would only be ready later."""
Read = TypeVar("Read")


class KeptReadings(Generic[Read]):
    """Readings of one kind in a process; safe to use from many threads."""

    def __init__(self, most_bytes: int, at_once: int = AT_ONCE) -> None:
        """Keep so many bytes of them, by the sizes that are said of them, but the newest in any case."""
        self._most = most_bytes
        self._kept: OrderedDict[str, tuple[Read, int]] = OrderedDict()
        self._size = 0
        self._under_way: dict[str, Future[Read]] = {}
        self._places = Semaphore(at_once)
        self._lock = Lock()

    def find(self, name: str) -> Read | None:
        """What was read under this name; None where it is not kept."""
        with self._lock:
            found = self._kept.get(name)
            if found is None:
                return None
            self._kept.move_to_end(name)
            return found[0]

    def keep(self, name: str, read: Read, size: int) -> None:
        """Keep this under a name, in place of what was; `size` is in bytes."""
        with self._lock:
            self._size += size - self._kept.pop(name, (read, 0))[1]
            self._kept[name] = read, size
            while self._size > self._most and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1][1]

    def forget(self, name: str, read: Read) -> None:
        """Keep this no longer; what was read under the name since stays."""
        with self._lock:
            found = self._kept.get(name)
            if found is not None and found[0] is read:
                self._size -= self._kept.pop(name)[1]

    def find_or_read(self, name: str, read: Callable[[], tuple[Read, int]]) -> Read:
        """What is kept under this name, or what `read` returns with its size, which then is kept.

        Raises whatever `read` raises, to all who waited for it.
        """
        with self._lock:
            if (found := self._kept.get(name)) is not None:
                self._kept.move_to_end(name)
                return found[0]
            awaited = self._under_way.get(name)
            mine: Future[Read] = Future()
            if awaited is None:
                self._under_way[name] = mine
        if awaited is not None:
            return awaited.result()
        try:
            with self._places:
                result, size = read()
            self.keep(name, result, size)
            mine.set_result(result)
        except BaseException as error:
            mine.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._under_way[name]
        return result
