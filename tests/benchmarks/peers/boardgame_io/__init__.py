"""boardgame.io 0.50 as a peer: its own server and its own clients, with a small game of beans of ours."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.load.plan import Found
from tests.benchmarks.load.processes import PROCESSES, added_up, heard, tell
from tests.benchmarks.own_service import await_ready, free_port, plain_environment, started
from tests.benchmarks.peers.installed import PeerFailed, PeerMissing, Peers

HERE: Final = Path(__file__).parent
MODULES: Final = Path(sys.prefix) / ".peers" / "boardgame_io" / "node_modules"
"""Where `make peers` has npm put it: in the environment, and not beside the sources."""
MATCH_LENGTH: Final = 430
"""Moves of a match: as many as the commands of a game of ours."""


@dataclass(frozen=True)
class BoardgameServer:
    """A running server."""

    port: int
    process: int
    modules: Path

    def played(self, matches: int, warm_up: float, seconds: float) -> Found:
        """Play so many matches at once from as many processes as our load has.

        Raises:
            PeerFailed: the clients did not do their work.
        """
        shares = [matches // PROCESSES + (place < matches % PROCESSES) for place in range(PROCESSES)]
        with ExitStack() as stack:
            running = [
                stack.enter_context(self._players(share, warm_up, seconds)) for share in shares if share
            ]
            for process in running:
                if heard(process) != b"ready":
                    raise PeerFailed("boardgame.io's clients did not start.")
            for process in running:
                tell(process, b"go")
            return added_up([_found(heard(process)) for process in running])

    @contextmanager
    def _players(self, matches: int, warm_up: float, seconds: float) -> "Iterator[subprocess.Popen[bytes]]":
        with subprocess.Popen(
            [
                _node(),
                str(HERE / "players.js"),
                *map(str, (self.port, matches, warm_up, seconds, MATCH_LENGTH)),
            ],
            env=_environment(self.modules),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def _found(line: bytes) -> Found:
    told: dict[str, Any] = json.loads(line)
    return Found(**{**told, "milliseconds": tuple(told["milliseconds"])}, refused=0, exhausted=False)


def check_installed(peers: Peers, modules: Path = MODULES) -> None:
    """Raise PeerMissing unless peers are wanted, Node is there and boardgame.io is installed."""
    if not peers.wanted:
        raise PeerMissing("Left out as asked (--without-peers).")
    _node()
    if not (modules / "boardgame.io").is_dir():
        raise PeerMissing("Not installed. `make peers` installs it.")


def _node() -> str:
    """Node's program, where it is installed."""
    node = shutil.which("node")
    if node is None:
        raise PeerMissing("Node 20 or newer is not installed; with it, `make peers` installs boardgame.io.")
    return node


@contextmanager
def boardgame_server(*, durable: bool, modules: Path = MODULES) -> Iterator[BoardgameServer]:
    """Its server, with FlatFile storage or in memory."""
    with tempfile.TemporaryDirectory(prefix="fieldbook-bench-", ignore_cleanup_errors=True) as name:
        folder, port = Path(name), free_port()
        log = folder / "server.log"
        command = [_node(), str(HERE / "server.js"), str(port)] + (
            [str(folder / "matches")] if durable else []
        )
        with started(command, _environment(modules), log) as process:
            await_ready(process, "/games", port, log)
            yield BoardgameServer(port, process.pid, modules)


def _environment(modules: Path) -> dict[str, str]:
    return {**plain_environment(), "NODE_PATH": str(modules), "NODE_ENV": "production"}
