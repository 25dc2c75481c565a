"""A player's name that was forgotten is nowhere in the data folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import Service
from tests.support.servers import eventually

NAME = "Zenobia Quartz"


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with an append-only file of its own."""
    with Service(tmp_path) as running:
        running.start("store", "web", "projector")
        running.await_ready()
        yield running


def holders(service: Service) -> list[str]:
    """The files of the data folder that hold the name."""
    found = []
    for path in Path(service.environment["FIELDBOOK_DATA"]).rglob("*"):
        try:
            if path.is_file() and NAME.encode() in path.read_bytes():
                found.append(path.name)
        except FileNotFoundError:
            continue
    return found


def test_a_forgotten_name_leaves_the_data_folder(durable: Service) -> None:
    """`DELETE /v1/players/{player}` forgets the name: also in the file in which the store lists every write."""
    key = durable.key()
    named = durable.api.call("PUT", "/v1/players/u-1", {"name": NAME}, token=key)
    assert named.status == 200, named.body
    eventually(lambda: bool(holders(durable)))
    assert durable.api.call("DELETE", "/v1/players/u-1", token=key).status == 200
    eventually(lambda: not holders(durable))
    assert durable.api.call("GET", "/readyz").status == 200
