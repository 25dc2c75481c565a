"""`python -m tests.benchmarks.watching`: one process of spectators.

It reads a plan, opens its streams, says `ready`, and watches until it is told the last version of each game. Where it
does not get its streams it says why.
"""

import selectors
import sys
import time
from typing import Final

import msgspec

from tests.benchmarks.open_files import allow_files
from tests.benchmarks.watching.plan import Seen, WatchPlan
from tests.benchmarks.watching.stream import Stream, StreamRefused

PATIENCE_SECONDS: Final = 20.0
"""How long a stream is asked for again and again where the service has no place for it."""
PAUSE_SECONDS: Final = 0.05
"""Between two attempts: fewer than an address may make in a minute (docs/operating.md)."""
OTHER_FILES: Final = 100
"""What a process has open besides its streams."""
LAST_SECONDS: Final = 10.0
"""How long it waits for the last versions once it knows them."""


def main() -> None:
    """Watch, and print what was seen."""
    plan = msgspec.json.decode(sys.stdin.buffer.readline(), type=WatchPlan)
    allow_files(len(plan.games) + OTHER_FILES)
    try:
        streams, refused = opened(plan)
    except StreamRefused as error:
        sys.stdout.write(f"{error}\n")
        return
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(watched(streams, refused)) + b"\n")
    sys.stdout.flush()


def opened(plan: WatchPlan) -> tuple[list[Stream], int]:
    """A stream for each game of the plan, tried again where the service has no place for it.

    Raises:
        StreamRefused: there is none for a while; it says how many streams there are by then.
    """
    streams: list[Stream] = []
    refused = 0
    for place, game in enumerate(plan.games):
        until = time.monotonic() + PATIENCE_SECONDS
        while len(streams) == place:
            try:
                streams.append(Stream(plan.port, game, plan.first + place))
            except StreamRefused as error:
                refused += 1
                if time.monotonic() >= until:
                    raise StreamRefused(
                        f"after {place} of {len(plan.games)} streams of a process came {error}"
                    ) from error
                time.sleep(PAUSE_SECONDS)
    return streams, refused


def watched(streams: list[Stream], refused: int) -> Seen:
    """Read all streams until standard input has told the games' last versions, and these have come."""
    selector = selectors.DefaultSelector()
    for stream in streams:
        selector.register(stream, selectors.EVENT_READ, stream)
    selector.register(sys.stdin.buffer, selectors.EVENT_READ, None)
    last: dict[str, int] | None = None
    until = float("inf")
    used = time.process_time()
    open_streams = len(streams)
    while time.monotonic() < until and open_streams:
        for key, _ in selector.select(0.2):
            if key.data is None:
                selector.unregister(sys.stdin.buffer)
                last = msgspec.json.decode(sys.stdin.buffer.readline(), type=dict[str, int])
                until = time.monotonic() + LAST_SECONDS
            elif not key.data.read(counts=True):
                selector.unregister(key.data)
                open_streams -= 1
        if last is not None and all(stream.version >= last[stream.game] for stream in streams):
            break
    known = last or {}
    return Seen(
        milliseconds=tuple(round(each, 1) for stream in streams for each in stream.milliseconds),
        lost=sum(stream.lost for stream in streams),
        behind=sum(stream.version < known.get(stream.game, 0) for stream in streams),
        refused=refused,
        processor_seconds=time.process_time() - used,
    )


if __name__ == "__main__":
    main()
