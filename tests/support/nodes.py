"""Servers on loopback ports, and a primary with its replica: they die with the process of tests."""

import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from events.store.errors import StoreUnavailable
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import information
from service.server.store_process import SYNC
from service.storage.levels import Durability
from tests.support.servers import ROOT, environment_without_settings, eventually

LOWEST_PORT: Final = 20_000
HIGHEST_PORT: Final = 32_000
"""Below the ports that the system gives to outgoing connections, so that a killed node finds its port again."""


def free_port() -> int:
    """Return a loopback port nobody listens on."""
    while True:
        port = random.randrange(LOWEST_PORT, HIGHEST_PORT)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue


class Node:
    """One server that listens on a loopback port."""

    def __init__(self, folder: Path, durability: Durability = Durability.MEMORY, **settings: object) -> None:
        """Prepare it in this folder; settings are the server's, with underscores for hyphens."""
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.connection = RedisConnection(self.url)
        self._settings = {
            "bind": "127.0.0.1",
            "port": self.port,
            "dir": folder,
            "save": "",
            "appendonly": "no" if durability is Durability.MEMORY else "yes",
            "appendfsync": SYNC.get(durability, "always"),
            "maxmemory-policy": "noeviction",
            "repl-diskless-sync-delay": 0,
            "loglevel": "warning",
            "logfile": folder / "log",
        } | {name.replace("_", "-"): value for name, value in settings.items()}
        self.process: subprocess.Popen[bytes] | None = None
        self.paused = False

    def start(self) -> Self:
        """Start it, again after it was killed; returns at once. Call this from a thread that stays."""
        options = [part for name, value in self._settings.items() for part in (f"--{name}", str(value))]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.store_node", str(os.getpid()), *options],
            cwd=ROOT,
            env=environment_without_settings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        return self

    def await_answer(self) -> None:
        """Wait until it answers and has loaded what it keeps."""
        eventually(self.answers, seconds=60)

    def answers(self) -> bool:
        """Tell whether it answers, without asking one that is paused or was killed."""
        if self.process is None or self.paused:
            return False
        assert self.process.poll() is None, "the node has ended"
        try:
            self.connection.command("PING")
        except StoreUnavailable:
            return False
        return True

    def said(self) -> dict[str, str]:
        """Return what it says about itself."""
        return information(self.connection)

    def pause(self) -> None:
        """Let it hang, as a machine that swaps does."""
        self.paused = True
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)
        self.paused = False

    def kill(self) -> None:
        """Kill it at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.connection.close()

    def _signal(self, number: int) -> None:
        assert self.process is not None
        os.kill(self.process.pid, number)


def follow(replica: Node, primary: Node) -> None:
    """Make one node the replica of another and wait until it has everything."""
    replica.connection.command("REPLICAOF", "127.0.0.1", primary.port)
    await_replica(replica)


def await_replica(replica: Node) -> None:
    """Wait until a replica follows its primary, counts there, and has everything that is written by now."""
    eventually(lambda: replica.said().get("master_link_status") == "up", seconds=60)
    primary = RedisConnection(f"redis://127.0.0.1:{replica.said()['master_port']}")
    eventually(lambda: b"state=online" in primary.command("INFO", "replication"), seconds=60)
    written = int(information(primary)["master_repl_offset"])
    eventually(lambda: int(replica.said()["slave_repl_offset"]) >= written, seconds=60)
    primary.close()


@contextmanager
def running_pair(folder: Path, durability: Durability = Durability.FSYNC) -> Iterator[tuple[Node, Node]]:
    """Run a primary and its replica."""
    nodes = Node(folder / "first", durability), Node(folder / "second", durability)
    try:
        for node in nodes:
            node.start()
        for node in nodes:
            node.await_answer()
        follow(nodes[1], nodes[0])
        yield nodes
    finally:
        for node in nodes:
            node.kill()
