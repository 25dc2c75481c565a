"""A stranger's record is verified by a child that gives way to everything else and has so much memory: real ones."""

import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from service.verification import confined
from tests.service.in_process import InProcess
from tests.service.verification import tight
from tests.support.http_play import Answer
from tests.support.processes import children
from tests.support.recorded_games import recorded_game
from tests.support.servers import eventually

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="/proc says how it is"),
]
GENUINE = b"".join(recorded_game(5, 4, (), 12).record())


def upload(api: InProcess, record: bytes) -> Answer:
    """Have a record verified."""
    kind = {"Content-Type": "application/x-ndjson"}
    return api.call("POST", "/v1/verifications", raw=record, headers=kind)


def verifiers() -> list[int]:
    """The children of this process that verify."""
    found = []
    for child in children(os.getpid()):
        try:
            if confined.__name__.encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
        except OSError:
            continue
    return found


def test_the_child_gives_way_to_everything_else(api: InProcess, tmp_path: Path) -> None:
    """Its priority is lower and its address space bounded, before it has read the first byte."""
    # What it reads comes from a pipe that nobody fills, in place of the file that the request has brought.
    pipe = tmp_path / "record"
    os.mkfifo(pipe)
    seen: list[tuple[int, Any]] = []
    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(1) as threads:
        run = subprocess.run

        def run_slowly(command: list[str], **named: Any) -> Any:
            with pipe.open("rb") as stdin:
                return run(command, **{**named, "stdin": stdin})

        patched.setattr(subprocess, "run", run_slowly)
        asked = threads.submit(upload, api, GENUINE)
        with pipe.open("wb") as record:

            def is_confined() -> bool:
                for child in verifiers():
                    bound = resource.prlimit(child, resource.RLIMIT_AS)[0]
                    seen.append((os.getpriority(os.PRIO_PROCESS, child), bound))
                return bool(seen) and seen[-1][1] == confined.MEMORY

            eventually(is_confined, seconds=30)
            record.write(GENUINE)
        answer = asked.result(60)
    assert answer.json["ok"]
    own = os.getpriority(os.PRIO_PROCESS, os.getpid())
    assert seen[-1][0] == min(19, own + confined.GIVES_WAY)


def test_a_record_that_needs_more_memory_harms_nobody(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is 422 and says nothing against the record; a genuine one is verified under the very same bound."""
    monkeypatch.setattr(confined, "__name__", tight.__name__)
    first, *others = GENUINE.splitlines(keepends=True)
    wide = first.rstrip()[:-1] + b',"x":[' + b'{"":{}},' * 120_000 + b"[]]}\n"
    assert len(wide) < 1_000_000, "a longer line is refused for its length"
    before = resource.getrlimit(resource.RLIMIT_AS)
    answer = upload(api, b"".join((wide, *others)))
    assert (answer.status, answer.json["code"]) == (422, "verification_too_long"), answer.body
    assert "bytes of memory" in answer.json["detail"]
    assert api.get("/healthz") == {"status": "alive"}
    assert upload(api, GENUINE).json["ok"]
    assert resource.getrlimit(resource.RLIMIT_AS) == before
