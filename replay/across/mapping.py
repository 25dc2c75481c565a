"""One map over games, on one core or on all of them: what every figure over many games is computed by.

    for each in map_games(count_trades, RecordFolder(Path("records")), workers=2):
        ...

The function gets one game (`PlayedGame`) and answers with something small. It is sent to processes that begin afresh,
so it stands at the top of a module, is a `functools.partial` of such a one, or an object that can be pickled and
called. Each process holds one game at a time, and only a few answers wait to be taken: what grows with the number of
games are their names and ids.

`map_game` is the step for one game by itself: whoever has a cluster maps it over `source.names()` with whatever runs
there, hands the answers in their order to `each_once`, and gets the same.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from replay.across.left import USUALLY_LEFT, Left, Reason
from replay.across.played_game import PlayedGame
from replay.across.reading import read_game
from replay.across.source import GameSource

AHEAD: Final = 8
"""Games for each process that are read or wait to be, before the answer that comes first was taken."""
_Answer = TypeVar("_Answer")
_Function = Callable[[PlayedGame], _Answer]


@dataclass(frozen=True, slots=True)
class Mapped(Generic[_Answer]):
    """A game, and what the function answered to it.

    Attributes:
        name: the source's name for the game.
        game: its id.
        head: the chain hash after its last entry.
        answer: what the function answered.
    """

    name: str
    game: str
    head: str
    answer: _Answer


def map_games(
    function: _Function[_Answer],
    source: GameSource,
    workers: int | None = None,
    leave_out: frozenset[Reason] = USUALLY_LEFT,
    names: Iterable[str] | None = None,
) -> Generator[Mapped[_Answer] | Left, None, None]:
    """Put each game of a source to a function: every game gives an answer or a reason, in the source's order.

    Answers are handed on as they come. An error of the function ends it, with the game's name; close the iterator to
    end it early.

    Args:
        function: is asked about each game that verifies; see above what it may be.
        source: where the games are.
        workers: processes to use; 1 to use none besides this one, None for as many as there are cores.
        leave_out: the reasons of `BY_CHOICE` for which games are left out.
        names: those of the source's names to take, in this order; None for all of them.
    """
    asked = source.names() if names is None else iter(names)
    processes = (os.cpu_count() or 1) if workers is None else workers
    if processes == 1:
        yield from each_once(map_game(function, source, name, leave_out) for name in asked)
    else:
        yield from each_once(_map_in_processes(function, source, processes, leave_out, asked))


def map_game(
    function: _Function[_Answer],
    source: GameSource,
    name: str,
    leave_out: frozenset[Reason] = USUALLY_LEFT,
) -> Mapped[_Answer] | Left:
    """Put one game of a source to a function (see `map_games`). Whether it came before, only the whole map knows."""
    played = read_game(source, name, leave_out)
    if isinstance(played, Left):
        return played
    try:
        answer = function(played)
    except Exception as error:
        error.add_note(f"The game was {name}.")
        raise
    return Mapped(name, played.game, played.report.head, answer)


def each_once(answers: Iterable[Mapped[_Answer] | Left]) -> Iterator[Mapped[_Answer] | Left]:
    """The answers of a map in the source's order, with a game that comes again left out."""
    heads: dict[str, str] = {}
    for each in answers:
        if isinstance(each, Mapped):
            if each.game in heads:
                yield repeated(each, heads[each.game])
                continue
            heads[each.game] = each.head
        yield each


def repeated(again: Mapped[Any], head: str) -> Left:
    """Why a game is left out that came before, with this head."""
    if again.head == head:
        return Left(again.name, Reason.TWICE, "the same game came before", again.game)
    detail = "a game of this id came before, with another head: one of the two is not what was played"
    return Left(again.name, Reason.CONTRADICTS, detail, again.game)


# --- in processes ------------------------------------------------------------------------------------------


def _map_in_processes(
    function: _Function[_Answer],
    source: GameSource,
    processes: int,
    leave_out: frozenset[Reason],
    names: Iterator[str],
) -> Iterator[Mapped[_Answer] | Left]:
    pool = ProcessPoolExecutor(
        processes, get_context("spawn"), initializer=_begin, initargs=(function, source, leave_out)
    )
    try:
        waiting: deque[Future[Mapped[_Answer] | Left]] = deque(
            _submit(pool, name) for name in islice(names, processes * AHEAD)
        )
        while waiting:
            answer = waiting.popleft().result()
            waiting.extend(_submit(pool, name) for name in islice(names, 1))
            yield answer
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, name: str) -> Future[Any]:
    """Put a game to the processes, of which one may be begun for it: it inherits that interrupts wait.

    So an interrupt reaches this process alone, and never while another one is being begun.
    """
    with _hold_interrupts():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return pool.submit(_map_here, name)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Have an interrupt wait until this is left.

    To block the signal is not enough: another thread, such as one that draws a bar, takes it for the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    handler = signal.signal(signal.SIGINT, lambda *interrupt: held.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if held and callable(handler):
        handler(*held[0])


_given: list[Any] = []
"""In a process of the map: the function, the source, and what is left out."""


def _begin(function: _Function[Any], source: GameSource, leave_out: frozenset[Reason]) -> None:
    """Prepare a process: it has its task once for all games, and ends with its parent."""
    _given[:] = [function, source, leave_out]
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _map_here(name: str) -> Mapped[Any] | Left:
    function, source, leave_out = _given
    return map_game(function, source, name, leave_out)
