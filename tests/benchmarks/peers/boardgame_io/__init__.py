"""boardgame.io 0.50 as a peer: its own server and its own clients, with a small game of beans."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from tests.benchmarks.load import LoadReport
from tests.benchmarks.own_service import (
    await_all_ready,
    await_ready,
    free_port,
    heard,
    plain_environment,
    started,
    talking,
    tell,
)
from tests.benchmarks.peers import PeerMissing, Peers
from tests.benchmarks.playing import PROCESSES, Size, added_up

HERE: Final = Path(__file__).parent
MATCH_LENGTH: Final = 430
"""Moves of a match: as many as the commands of our games."""


@dataclass(frozen=True)
class BoardgameServer:
    """A running server, and the environment of its programs."""

    port: int
    environment: dict[str, str]

    def played(self, size: Size) -> LoadReport:
        """Play matches from as many processes as our load has.

        Raises:
            ServiceFailed: the clients did not do their work.
        """
        shares = [size.games // PROCESSES + (place < size.games % PROCESSES) for place in range(PROCESSES)]
        with ExitStack() as stack:
            running = []
            for share in filter(None, shares):
                numbers = (self.port, share, size.warm_up, size.seconds, MATCH_LENGTH)
                command = [_node(), str(HERE / "players.js"), *map(str, numbers)]
                running.append(stack.enter_context(talking(command, self.environment)))
            await_all_ready(running)
            for process in running:
                tell(process, b"go")
            return added_up([msgspec.json.decode(heard(process), type=LoadReport) for process in running])


@contextmanager
def boardgame_server(peers: Peers, *, durable: bool) -> Iterator[BoardgameServer]:
    """Start its server, with FlatFile storage or in memory.

    Raises:
        PeerMissing: peers are not wanted, or Node or boardgame.io is not installed.
    """
    modules = peers.environment / "boardgame_io" / "node_modules"
    peers.check(modules / "boardgame.io")
    environment = {**plain_environment(), "NODE_PATH": str(modules), "NODE_ENV": "production"}
    with TemporaryDirectory(prefix="fieldbook-bench-", ignore_cleanup_errors=True) as name:
        port, log = free_port(), Path(name) / "server.log"
        command = [_node(), str(HERE / "server.js"), str(port)]
        with started(
            [*command, str(Path(name) / "matches")] if durable else command, environment, log
        ) as process:
            await_ready(process, "/games", port, log)
            yield BoardgameServer(port, environment)


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise PeerMissing("Node 20 or newer is not installed; with it, `make peers` installs boardgame.io.")
    return node
