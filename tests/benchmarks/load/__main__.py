"""`python -m tests.benchmarks.load`: a process of the load. It reads a plan, says `ready`, and waits to be let go."""

import sys

import msgspec

from tests.benchmarks.load.lanes import carried_out
from tests.benchmarks.load.plan import Plan


def main() -> None:
    """Read the plan from the first line, wait for the second, and print what was found."""
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=Plan)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.buffer.readline()
    sys.stdout.buffer.write(msgspec.json.encode(carried_out(plan)) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
