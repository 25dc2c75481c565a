"""The terminal player as a process on a pseudo-terminal."""

import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path
from typing import Final

from tests.replay.commands.commands import ROOT

PATIENCE: Final = 120.0


class Terminal:
    """`play` on a pseudo-terminal of its own."""

    def __init__(
        self, record: Path | str, *options: str, width: int = 80, height: int = 24, **environment: str
    ) -> None:
        """Start it."""
        self.controller, terminal = pty.openpty()
        ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        kept = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "replay", "play", str(record), *options],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            cwd=ROOT,
            env={**kept, "TERM": "xterm-256color", **environment},
        )
        self.terminal = terminal

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self.controller, keys.encode())

    def until(self, expected: str) -> str:
        """What appears up to this text."""
        seen, deadline = b"", time.monotonic() + PATIENCE
        while expected.encode() not in seen:
            assert time.monotonic() < deadline, f"{expected!r} did not appear: {seen!r}"
            if select.select([self.controller], [], [], 0.2)[0]:
                seen += os.read(self.controller, 65_536)
        return seen.decode(errors="replace")

    def close(self) -> tuple[int, str]:
        """Its exit status, and the last that it wrote."""
        rest = b""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None or select.select([self.controller], [], [], 0)[0]:
            assert time.monotonic() < deadline, f"it does not end: {rest!r}"
            if select.select([self.controller], [], [], 0.2)[0]:
                rest += os.read(self.controller, 65_536)
        os.close(self.terminal)
        os.close(self.controller)
        return self.process.returncode, rest.decode(errors="replace")
