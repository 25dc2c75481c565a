"""The path of one accepted command through the code: `python -m tests.benchmarks.trace_command`, with `-v` each call.

Counted are the calls of functions of ours, from the moment the application gets the request until it has the answer,
in a process that knows the game and the seat. A crossing is a call from one part of the service into another one.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, NamedTuple

from events.store.redis.redis_store import RedisEventStore
from service.access.keys import SCOPES
from service.access.store import Keys
from service.http.app import create_app
from service.verification.signing_keys import SigningKeys
from tests.support.servers import RunningStore

ROOT: Final = Path(__file__).parents[2]
OURS: Final = ("events/", "replay/", "service/")
PARTS: Final = {
    "http": "service/http/",
    "store": "events/store/",
    "rules": "events/rules/",
    "events": "events/",
    "service": "",
}
"""The parts by where their files are; the first one that fits counts."""


class Call(NamedTuple):
    """A function of ours that was called, by another one or by nobody of ours."""

    depth: int
    file: str
    function: str
    caller: str
    """The file that the call came from; empty where it is not ours."""


def part_of(file: str) -> str:
    """The part of the service that a file belongs to."""
    return next(part for part, folder in PARTS.items() if file.startswith(folder))


class Trace:
    """The calls of functions of ours between `start` and `stop`, in this thread."""

    def __init__(self) -> None:
        """Nothing was called yet."""
        self.calls: list[Call] = []

    def start(self) -> None:
        """Begin to listen."""
        sys.setprofile(self._heard)

    def stop(self) -> None:
        """Listen no more."""
        sys.setprofile(None)

    def _heard(self, frame: FrameType, event: str, _argument: Any) -> None:
        file = _ours(frame)
        if event == "call" and file:
            above = _above(frame)
            caller = _ours(above[0]) if above else ""
            self.calls.append(Call(len(above), file, frame.f_code.co_qualname, caller))

    def figures(self) -> dict[str, int]:
        """What is counted."""
        inner = [call for call in self.calls if call.caller]
        return {
            "calls": len(self.calls),
            "functions": len({(call.file, call.function) for call in self.calls}),
            "files": len({call.file for call in self.calls}),
            "changes of file": sum(call.file != call.caller for call in inner),
            "crossings": sum(part_of(call.file) != part_of(call.caller) for call in inner),
            "frames deep": max(call.depth for call in self.calls) + 1,
        }

    def by_part(self) -> dict[str, tuple[int, int, int]]:
        """Calls, functions and files of each part."""
        found = {}
        for part in PARTS:
            calls = [call for call in self.calls if part_of(call.file) == part]
            functions = {(call.file, call.function) for call in calls}
            found[part] = (len(calls), len(functions), len({call.file for call in calls}))
        return found


def _ours(frame: FrameType) -> str:
    """The file of a function of ours, below the root; empty for all others."""
    name = frame.f_code.co_filename
    file = name.removeprefix(f"{ROOT}/")
    return file if file != name and file.startswith(OURS) else ""


def _above(frame: FrameType) -> list[FrameType]:
    """The frames of ours that this one was called from, the nearest first."""
    found = []
    above = frame.f_back
    while above is not None:
        if _ours(above):
            found.append(above)
        above = above.f_back
    return found


def traced(store: RedisEventStore, folder: Path) -> Trace:
    """One accepted command of a game, after some others."""
    client = create_app(store, "fsync", SigningKeys(folder, "trace.test/log")).test_client()
    key = Keys(store).create("trace", SCOPES, 1)
    body = {"system": "classic", "seats": [{"name": name} for name in ("Ann", "Ben", "Cat")]}
    made: Any = client.post("/v1/games", json=body, headers={"Authorization": f"Bearer {key}"}).json
    path, token = f"/v1/games/{made['game']}/commands", made["seats"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(3):
        client.post(path, json={"type": "say", "text": "hello"}, headers=headers)
    trace = Trace()
    trace.start()
    try:
        answer = client.post(path, json={"type": "plant", "field": 0}, headers=headers)
    finally:
        trace.stop()
    if answer.status_code != 200:
        raise SystemExit(f"The command was not accepted: {answer.text}")
    return trace


def main() -> None:
    """Trace one command and print a table."""
    with TemporaryDirectory() as name, RunningStore(Path(name), durability="fsync") as server:
        store = RedisEventStore.connect(server.url)
        trace = traced(store, Path(name))
        store.close()
    lines = []
    if "-v" in sys.argv:
        lines += [f"{'  ' * call.depth}{call.function}  ({call.file})" for call in trace.calls]
        counted = Counter((call.file, call.function) for call in trace.calls).most_common(12)
        lines += [f"{count:4}  {function}  ({file})" for (file, function), count in counted]
    lines += [f"{what:<18}{count:5}" for what, count in trace.figures().items()]
    lines += [f"{'part':<10}{'calls':>8}{'functions':>11}{'files':>7}"]
    lines += [
        f"{part:<10}{calls:8}{some:11}{files:7}" for part, (calls, some, files) in trace.by_part().items()
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
