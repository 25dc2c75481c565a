"""Spans: pieces of work, each within the one that led to it. Without a recorder all are one that does nothing.

A request, or whatever else begins by itself, begins a trace (`begin`, `begin_request`); a step within it is a `span`;
what follows from it in another process says whose it is by a `traceparent` (W3C Trace Context, section 3.2).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Final, Literal, Protocol, Self

Kind = Literal["client", "consumer", "internal", "producer", "server"]
Said = str | int | bool

GAME: Final = "fieldbook.game"
VERSION: Final = "fieldbook.version"
LAST_SECONDS: Final = 1.0
"""How long a process that ends waits for whoever collects spans."""


class Span:
    """A piece of work of which nothing is recorded."""

    traceparent: str = ""
    """What work that follows from it names; empty where that is not recorded either."""
    trace_id: str | None = None
    """The trace that it is in: 32 hexadecimal digits."""

    def child(self, name: str, kind: Kind) -> "Span":  # noqa: ARG002 - what is recorded has one
        """A piece of this work."""
        return self

    def say(self, said: Mapping[str, Said]) -> None:
        """Say something about it."""

    def fail(self, kind: str) -> None:
        """Say that it failed, and by what kind of thing: a word, never what was sent."""

    def end(self, failure: BaseException | None = None) -> None:
        """End it, by a failure if there is one."""

    def __enter__(self) -> Self:
        """What is begun from now on is a piece of it."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _failure: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """End it."""


UNRECORDED: Final = Span()


class Recorder(Protocol):
    """Records spans."""

    def begin(self, name: str, kind: Kind, parent: str) -> Span:
        """Begin a piece of work: in the trace of this `traceparent`, or in one of its own where that is empty."""
        ...

    def begin_request(self, name: str, sent: str | None) -> Span:
        """Begin to answer a request whose sender named this `traceparent`."""
        ...

    def hand_over(self, seconds: float) -> None:
        """Hand over what was recorded, for so many seconds at most; what is left then may be lost."""
        ...


_recorders: Final[list[Recorder]] = []
"""The recorder of this process, if there is one."""
_current: ContextVar[Span] = ContextVar("fieldbook-span", default=UNRECORDED)


def record_with(recorder: Recorder | None) -> None:
    """Record from now on, or no more."""
    _recorders[:] = () if recorder is None else (recorder,)


def is_recording() -> bool:
    """Whether anything may be recorded."""
    return bool(_recorders)


def begin(name: str, kind: Kind, parent: str = "") -> Span:
    """Begin a piece of work: in the trace of this `traceparent`, or in one of its own where that is empty."""
    return _recorders[0].begin(name, kind, parent) if _recorders else UNRECORDED


def begin_request(name: str, sent: str | None) -> Span:
    """Begin to answer a request whose sender named this `traceparent`."""
    return _recorders[0].begin_request(name, sent) if _recorders else UNRECORDED


def follow(name: str, kind: Kind, parent: str) -> Span:
    """Begin what follows from recorded work; without a `traceparent` nothing is recorded."""
    return begin(name, kind, parent) if parent else UNRECORDED


def span(name: str, kind: Kind = "internal") -> Span:
    """Begin a piece of the work that is done here."""
    return _current.get().child(name, kind)


def current_span() -> Span:
    """The work that is done here."""
    return _current.get()


def make_current(found: Span) -> Span:
    """Have what is begun here be a piece of this; returns what was current before."""
    before = _current.get()
    _current.set(found)
    return before


@contextmanager
def working_on(found: Span) -> Iterator[None]:
    """Have what is begun within be a piece of this, which goes on afterwards."""
    before = make_current(found)
    try:
        yield
    finally:
        make_current(before)


def hand_over(seconds: float = LAST_SECONDS) -> None:
    """Hand over what was recorded, for so many seconds at most; what is left then may be lost."""
    for recorder in _recorders:
        recorder.hand_over(seconds)
