"""Log lines written together: in their order, soon, none lost at an end, and warnings at once."""

import io
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from service.platform.batched_lines import BatchedLines
from tests.support.servers import ROOT, eventually

LINES, THREADS = 200, 8


@pytest.fixture
def written() -> io.StringIO:
    """What the handler writes to."""
    return io.StringIO()


@pytest.fixture
def log(written: io.StringIO) -> Iterator[logging.Logger]:
    """A log that only goes there."""
    logger = logging.Logger("batched")  # noqa: LOG001 - apart from all others, and gone with the test
    handler = BatchedLines(written)
    logger.addHandler(handler)
    yield logger
    handler.flush()


def test_a_line_is_written_soon(log: logging.Logger, written: io.StringIO) -> None:
    """Also after a pause in which the writing thread has ended: the next line starts another."""
    log.info("one")
    eventually(lambda: written.getvalue() == "one\n")
    eventually(lambda: all(each.name != "log-writer" for each in threading.enumerate()))
    log.info("two")
    eventually(lambda: written.getvalue() == "one\ntwo\n")


def test_no_lock_is_asked_for(log: logging.Logger, written: io.StringIO) -> None:
    """Not even whether there is one: Python 3.13 takes it for granted that there is."""
    (handler,) = log.handlers
    handler.createLock()
    handler.lock = "no lock"  # type: ignore[assignment]
    log.warning("said")
    handler.createLock()
    assert written.getvalue() == "said\n"


def test_a_warning_is_written_at_once_behind_what_came_before(
    log: logging.Logger, written: io.StringIO
) -> None:
    """Who is killed then has said it."""
    log.info("before")
    log.warning("careful")
    assert written.getvalue() == "before\ncareful\n"


def test_lines_of_many_threads_are_whole_and_each_thread_s_in_order(
    log: logging.Logger, written: io.StringIO
) -> None:
    """None is lost, doubled or torn."""

    def say(thread: int) -> None:
        for number in range(LINES):
            log.log(logging.WARNING if number % 50 == 7 else logging.INFO, "%s %s", thread, number)

    threads = [threading.Thread(target=say, args=(number,)) for number in range(THREADS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    eventually(lambda: written.getvalue().count("\n") == LINES * THREADS)
    found = [line.split() for line in written.getvalue().splitlines()]
    for number in range(THREADS):
        assert [line[1] for line in found if line[0] == str(number)] == [*map(str, range(LINES))]


@pytest.mark.parametrize("ends", ["", "sys.exit(3)", "raise ValueError"])
def test_a_process_that_ends_has_written_everything(ends: str) -> None:
    """However it ends, as long as it is not killed."""
    said = _run(f"log.info('last words'); {ends}")
    assert said.count("last words\n") == 1


def test_a_forked_process_writes_its_own_lines_only() -> None:
    """What waited at the fork is written once, by the parent."""
    program = """log.info('of both')
if os.fork() == 0:
    log.info('of the child')
else:
    os.wait()
    log.info('of the parent')"""
    assert sorted(_run(program).splitlines()) == ["of both", "of the child", "of the parent"]


def test_a_signal_that_logs_while_lines_are_written_does_not_stop_everything() -> None:
    """Its handler runs in the thread that it interrupts, which may be writing."""
    program = """import signal, itertools
signal.signal(signal.SIGALRM, lambda *_: log.warning('signal'))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
for number in range(3000):
    log.warning('line %s', number)
signal.setitimer(signal.ITIMER_REAL, 0)"""
    lines = _run(program).splitlines()
    assert [line for line in lines if line != "signal"] == [f"line {number}" for number in range(3000)]
    assert "signal" in lines
    assert "Logging error" not in "".join(lines)


def _run(program: str) -> str:
    """What a process says on standard error that logs like this."""
    begin = (
        "import logging, os, sys\nfrom service.platform.batched_lines import BatchedLines\n"
        "log = logging.getLogger(); log.setLevel(logging.INFO); log.addHandler(BatchedLines(sys.stderr))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", begin + program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    return run.stderr
