"""The path of one accepted command through the code: `python -m tests.benchmarks.studies.trace_command [-v]`.

It counts calls of our functions from the moment the application gets the request until it has the answer, in a
process that knows the game and the seat.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, NamedTuple

import click

from events.store.redis.redis_store import RedisEventStore
from service.access.keys import SCOPES
from service.access.store import Keys
from service.http.app import create_app
from service.storage.levels import Durability
from service.verification.signing_keys import SigningKeys
from tests.benchmarks.own_service import own_store
from tests.support.servers import ROOT

OURS: Final = ("events/", "replay/", "service/")


class Call(NamedTuple):
    """A called function, and the file of our code that called it, or an empty name."""

    depth: int
    file: str
    function: str
    caller: str


def traced(store: RedisEventStore, folder: Path) -> list[Call]:
    """Return the calls of one accepted command of a game, after some others."""
    client = create_app(store, "fsync", SigningKeys(folder, "trace.test/log")).test_client()
    key = Keys(store).create("trace", SCOPES, 1)
    body = {"system": "classic", "seats": [{"name": name} for name in ("Ann", "Ben", "Cat")]}
    made: Any = client.post("/v1/games", json=body, headers={"Authorization": f"Bearer {key}"}).json
    path, token = f"/v1/games/{made['game']}/commands", made["seats"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    for _ in range(3):
        client.post(path, json={"type": "say", "text": "hello"}, headers=headers)
    calls: list[Call] = []

    def heard(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and (file := _ours(frame)):
            above, callers = frame.f_back, list[str]()
            while above is not None:
                callers += filter(None, [_ours(above)])
                above = above.f_back
            calls.append(Call(len(callers), file, frame.f_code.co_qualname, callers[0] if callers else ""))

    sys.setprofile(heard)
    try:
        answer = client.post(path, json={"type": "plant", "field": 0}, headers=headers)
    finally:
        sys.setprofile(None)
    if answer.status_code != 200:
        raise SystemExit(f"The command was not accepted: {answer.text}")
    return calls


def _ours(frame: FrameType) -> str:
    """Return the file of one of our functions, below the root; empty for all others."""
    name = frame.f_code.co_filename
    file = name.removeprefix(f"{ROOT}/")
    return file if file != name and file.startswith(OURS) else ""


@click.command()
@click.option("-v", "--verbose", is_flag=True, help="Print each call.")
def trace_command(*, verbose: bool) -> None:
    """Trace one command and print a table."""
    with TemporaryDirectory() as name, own_store(Durability.FSYNC) as (store, _):
        calls = traced(store, Path(name))
    for call in calls if verbose else ():
        click.echo(f"{'  ' * call.depth}{call.function}  ({call.file})")
    inner = [call for call in calls if call.caller]
    figures = {
        "calls": len(calls),
        "functions": len({(call.file, call.function) for call in calls}),
        "files": len({call.file for call in calls}),
        "changes of file": sum(call.file != call.caller for call in inner),
        "frames deep": max(call.depth for call in calls) + 1,
    }
    for what, count in figures.items():
        click.echo(f"{what:<18}{count:5}")


if __name__ == "__main__":
    trace_command()
