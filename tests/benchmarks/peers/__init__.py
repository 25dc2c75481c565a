"""Peers: what users would pick instead. `make peers` installs them; each runs in its own process."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ENVIRONMENT: Final = Path(sys.prefix) / ".peers"
"""The environment of the peers, separate from ours, so that no peer decides what we run on."""
SCRIPT: Final = Path(__file__).parent / "python_peers.py"
LONGEST_RUN_SECONDS: Final = 300.0


class PeerMissing(Exception):
    """A peer is not installed, or not wanted; the text says how to install it."""


class PeerFailed(Exception):
    """A peer is installed and did not do its work."""


@dataclass(frozen=True)
class Peers:
    """The peers that may be run: `wanted` False leaves all of them out, installed or not."""

    wanted: bool = True
    environment: Path = ENVIRONMENT

    def rate(self, peer: str, seconds: float) -> float:
        """Run a peer of `python_peers.py`; return how much it does per second of processor time.

        Raises:
            PeerMissing: the peers are not installed or not wanted.
            PeerFailed: it ended with an error or took too long.
        """
        python = self.environment / "bin" / "python"
        self.check(python)
        # -I: none of our names hides one of the peer's.
        command = [str(python), "-I", str(SCRIPT), peer, str(seconds)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=LONGEST_RUN_SECONDS
            )
            return float(json.loads(done.stdout))
        except subprocess.CalledProcessError as error:
            raise PeerFailed(f"{peer}: {error.stderr.strip()[-500:]}") from error
        except (subprocess.TimeoutExpired, ValueError) as error:
            raise PeerFailed(f"{peer}: {error}") from error

    def check(self, installed: Path) -> None:
        """Raise PeerMissing unless peers are wanted and this part of them is installed."""
        if not self.wanted:
            raise PeerMissing("Left out (--without-peers).")
        if not installed.exists():
            raise PeerMissing("Not installed. `make peers` installs it.")
