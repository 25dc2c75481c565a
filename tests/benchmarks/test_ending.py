"""When a service has ended, and when it has nothing to do."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks import ending
from tests.benchmarks.ending import runs, seconds_until_ended
from tests.benchmarks.own_service import ServiceFailed
from tests.benchmarks.processor import below
from tests.benchmarks.quiet import await_quiet
from tests.support.servers import eventually

CHILD = "import sys, time; print('there', flush=True); time.sleep({seconds})"
PARENT = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdout=subprocess.PIPE, start_new_session=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="What a process started is in /proc."
)


def family(seconds: float) -> "subprocess.Popen[bytes]":
    """A process that ends at once when it is told to, with one below it that ends by itself after so long."""
    code = PARENT.format(child=CHILD.format(seconds=seconds))
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    parent.stdout.readline()
    return parent


def test_a_service_has_ended_when_the_last_of_its_processes_has() -> None:
    """Not when the one has that was told to."""
    with family(seconds=1.0) as parent:
        took = seconds_until_ended(parent.pid)

    assert 0.3 < took < 30.0


def test_what_does_not_end_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark leaves nothing behind."""
    monkeypatch.setattr(ending, "LONGEST_SECONDS", 0.2)
    with family(seconds=60.0) as parent:
        child = next(each for each in below(parent.pid) if each != parent.pid)
        with pytest.raises(ServiceFailed, match="1 processes have not ended"):
            seconds_until_ended(parent.pid)

    eventually(lambda: not runs(child))


def test_who_does_nothing_is_not_waited_for_for_long() -> None:
    """A process that sleeps keeps no processor busy."""
    with family(seconds=1.5) as parent:
        busy = await_quiet((parent.pid,))
        seconds_until_ended(parent.pid)

    assert busy < 0.5
