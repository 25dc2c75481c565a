"""A witness as a process of its own, and a log that asks it."""

import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from events.transparency.cosignature import WitnessKey
from events.transparency.log_proof import encode_hashes
from tests.support.servers import ROOT, environment_without_settings
from tests.support.signing import Signer

SECONDS = 30


class RunningWitness:
    """`python -m replay witness` on a folder, for some logs; it ends when this is left."""

    def __init__(self, folder: Path, *keys: object, name: str = "witness.test/w1", port: int = 0) -> None:
        """Start it and wait until it listens."""
        self.folder = folder
        logs = [part for key in keys for part in ("--log", str(key))]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "replay", "witness", folder, *logs, "--name", name, "--port", str(port)],
            cwd=ROOT,
            env=environment_without_settings(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.said: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if line.startswith("listens at"):
                break
        assert self.said, self.process.wait(SECONDS)
        self.key = WitnessKey.parse(self.said[0].split()[1])
        self.url = self.said[-1].split()[2].removesuffix("/add-checkpoint")

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.stop()

    def stop(self) -> int:
        """End it as an operator does; returns its status."""
        self.process.terminate()
        return self._end()

    def kill(self) -> None:
        """Kill it at once."""
        self.process.kill()
        self._end()

    def _end(self) -> int:
        assert self.process.stdout is not None
        self.process.stdout.close()
        return self.process.wait(SECONDS)

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, str, str]:
        """Status, kind and body of an answer."""
        place = urlsplit(self.url)
        connection = HTTPConnection(place.hostname or "", place.port, timeout=SECONDS)
        connection.request(method, path, body)
        with connection.getresponse() as answer:
            found = answer.status, answer.headers["Content-Type"], answer.read().decode()
        connection.close()
        return found

    def add(self, body: str) -> tuple[int, str]:
        """Status and body of the answer to a request to co-sign."""
        status, _, said = self.ask("POST", "/add-checkpoint", body.encode())
        return status, said


def asking(log: Signer, old: int, checkpoint: str | None = None) -> str:
    """What a log sends that believes to be known at a size."""
    tree = log.tree()
    proof = encode_hashes(tree.consistency_proof(old, tree.size))
    return f"old {old}\n{proof}\n{log.checkpoint() if checkpoint is None else checkpoint}"


def grown(log: Signer, entries: int) -> Signer:
    """The log with so many further entries."""
    for _ in range(entries):
        log.heads.append(f"entry {len(log.heads)} of {log.name}\n")
    return log
