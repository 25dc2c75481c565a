"""boardgame.io 0.50 as a peer: its own server and its own clients, with a small game of beans of ours."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.load.plan import Found
from benchmarks.load.processes import PROCESSES, added_up
from benchmarks.own_service import await_ready, free_port, plain_environment, started
from benchmarks.peers.installed import PeerFailed, PeerMissing, Peers

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
        arguments = [str(warm_up), str(seconds), str(MATCH_LENGTH)]
        running = [
            subprocess.Popen(
                ["node", str(HERE / "players.js"), str(self.port), str(share), *arguments],
                env=_environment(self.modules),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            for share in shares
            if share
        ]
        try:
            for process in running:
                _heard(process, "ready")
            for process in running:
                process.stdin.write(b"go\n")  # type: ignore[union-attr] # it is a pipe, as asked for above
                process.stdin.flush()  # type: ignore[union-attr]
            return added_up([_found(_heard(process)) for process in running])
        finally:
            for process in running:
                process.kill()
                process.wait()


def _heard(process: "subprocess.Popen[bytes]", expected: str | None = None) -> str:
    line = process.stdout.readline().decode().strip()  # type: ignore[union-attr]
    if not line or (expected is not None and line != expected):
        raise PeerFailed(f"boardgame.io's clients said {line!r}.")
    return line


def _found(line: str) -> Found:
    told: dict[str, Any] = json.loads(line)
    return Found(**{**told, "milliseconds": tuple(told["milliseconds"])}, refused=0, exhausted=False)


def check_installed(peers: Peers, modules: Path = MODULES) -> None:
    """Raise PeerMissing unless peers are wanted, Node is there and boardgame.io is installed."""
    if not peers.wanted:
        raise PeerMissing("Left out as asked (--without-peers).")
    if shutil.which("node") is None:
        raise PeerMissing("Node 20 or newer is not installed; then `make peers` installs it.")
    if not (modules / "boardgame.io").is_dir():
        raise PeerMissing("Not installed. `make peers` installs it.")


@contextmanager
def boardgame_server(*, durable: bool, modules: Path = MODULES) -> Iterator[BoardgameServer]:
    """Its server, with FlatFile storage or in memory."""
    with tempfile.TemporaryDirectory(prefix="fieldbook-bench-", ignore_cleanup_errors=True) as name:
        folder, port = Path(name), free_port()
        log = folder / "server.log"
        command = ["node", str(HERE / "server.js"), str(port)] + ([str(folder / "matches")] if durable else [])
        with started(command, _environment(modules), log) as process:
            await_ready(process, "/games", port, log)
            yield BoardgameServer(port, process.pid, modules)


def _environment(modules: Path) -> dict[str, str]:
    return {**plain_environment(), "NODE_PATH": str(modules), "NODE_ENV": "production"}
