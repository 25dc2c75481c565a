"""Which peers are installed here, and how one is run: in a process of its own, which prints JSON."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

# Beside our environment and not in it: what a peer needs never touches what we need.
PYTHON_OF_PEERS = Path(sys.prefix) / ".peers" / "bin" / "python"

LONGEST_RUN_SECONDS = 300.0


class PeerMissing(Exception):
    """A peer is not installed, or not wanted; its text says how to install it."""


class PeerFailed(Exception):
    """A peer is installed and did not do its work."""


class Peers:
    """The peers that may be run.

    Args:
        wanted: False leaves every peer out, installed or not.
        python: the interpreter of the environment that `make peers` sets up.

    """

    def __init__(self, *, wanted: bool = True, python: Path = PYTHON_OF_PEERS) -> None:
        self.wanted = wanted
        self.python = python

    def measure(self, script: str, *arguments: str) -> dict[str, Any]:
        """Run a script of this folder with the peers' Python, and return the JSON object that it prints.

        Raises:
            PeerMissing: the peers' environment is not set up, or no peer is wanted.
            PeerFailed: the script ended with an error or took too long.
        """
        self.check()
        # -I: neither our packages nor this folder are on the path, so that no name of ours hides one of the peer's.
        command = [str(self.python), "-I", str(HERE / f"{script}.py"), *arguments]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=LONGEST_RUN_SECONDS
            )
            return dict(json.loads(done.stdout))
        except subprocess.CalledProcessError as error:
            raise PeerFailed(f"{script}: {error.stderr.strip()[-500:]}") from error
        except (subprocess.TimeoutExpired, ValueError) as error:
            raise PeerFailed(f"{script}: {error}") from error

    def rate(self, script: str, *arguments: object) -> float:
        """What `measure` found: so many things per second of processor time.

        Raises:
            PeerMissing, PeerFailed
        """
        return float(self.measure(script, *map(str, arguments))["rate"])

    def check(self) -> None:
        """Raise PeerMissing unless Python's peers are wanted and installed."""
        if not self.wanted:
            raise PeerMissing("Left out as asked (--without-peers).")
        if not self.python.exists():
            raise PeerMissing("Not installed. `make peers` installs it.")
