"""Some processes of the load at once: started, let go together, and added up."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import msgspec

from tests.benchmarks.chosen import ChosenGame
from tests.benchmarks.load.plan import Found, Plan
from tests.benchmarks.own_service import ServiceFailed, plain_environment
from tests.support.servers import ROOT

PROCESSES = 2
PATIENCE_SECONDS = 60.0


def carried_out_by_processes(plans: Sequence[Plan]) -> Found:
    """Carry out a plan in a process of its own each, all at the same time; what they found, added up.

    Raises:
        ServiceFailed: the load did not end as it must, or a command was refused.
    """
    with begun(plans) as running:
        return found_by(running)


@contextmanager
def begun(plans: Sequence[Plan]) -> "Iterator[list[subprocess.Popen[bytes]]]":
    """A process for each plan, all let go together; they are killed when this is left.

    Raises:
        ServiceFailed: one did not start.
    """
    with ExitStack() as stack:
        running = [stack.enter_context(talking("tests.benchmarks.load")) for _ in plans]
        for process, plan in zip(running, plans, strict=True):
            tell(process, msgspec.json.encode(plan))
        for process in running:
            if heard(process) != b"ready":
                raise ServiceFailed("A process of the load did not start.")
        for process in running:
            tell(process, b"go")
        yield running


def found_by(running: "Sequence[subprocess.Popen[bytes]]") -> Found:
    """What these processes found, once all are through.

    Raises:
        ServiceFailed: the load did not end as it must, or a command was refused.
    """
    return added_up([msgspec.json.decode(heard(process), type=Found) for process in running])


def shared_out(
    lanes: Sequence[tuple[ChosenGame, ...]], processes: int = PROCESSES
) -> list[tuple[tuple[ChosenGame, ...], ...]]:
    """Lanes, dealt out to so many processes."""
    return [tuple(lanes[place::processes]) for place in range(min(processes, len(lanes)))]


def added_up(found: Sequence[Found]) -> Found:
    """What several processes saw together.

    Raises:
        ServiceFailed: a command was refused; what was chosen must be legal.
    """
    refused = sum(each.refused for each in found)
    if refused:
        raise ServiceFailed(f"{refused} commands that were chosen beforehand were refused.")
    return Found(
        counted=sum(each.counted for each in found),
        seconds=min(each.seconds for each in found),
        milliseconds=tuple(taken for each in found for taken in each.milliseconds),
        refused=0,
        processor_seconds=sum(each.processor_seconds for each in found),
        exhausted=any(each.exhausted for each in found),
        acknowledged={game: told for each in found for game, told in each.acknowledged.items()},
    )


@contextmanager
def talking(module: str) -> "Iterator[subprocess.Popen[bytes]]":
    """A process of ours that listens and tells line by line; it is killed when this is left."""
    with subprocess.Popen(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env=plain_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Ctrl-C is for who has started it, and kills it then.
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def tell(process: "subprocess.Popen[bytes]", line: bytes) -> None:
    """Tell a process of the load something."""
    if process.stdin is None:
        raise ServiceFailed("A process of the load does not listen.")
    process.stdin.write(line + b"\n")
    process.stdin.flush()


def heard(process: "subprocess.Popen[bytes]") -> bytes:
    """The next line that a process of the load says."""
    if process.stdout is None:
        raise ServiceFailed("A process of the load says nothing.")
    line = process.stdout.readline().strip()
    if not line:
        raise ServiceFailed("A process of the load ended without saying what it found.")
    return line
