"""`python -m tests.benchmarks.load`: a process of the load. It reads a plan, says `ready`, and waits to be let go."""

import sys

import msgspec

from tests.benchmarks.load.lanes import carried_out
from tests.benchmarks.load.plan import Plan
from tests.benchmarks.load.until_stopped import carried_out_until_stopped


def main() -> None:
    """Read the plan from the first line, wait for the second, and print what was found."""
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=Plan)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.buffer.readline()
    found = carried_out_until_stopped(plan) if plan.until_stopped else carried_out(plan)
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
