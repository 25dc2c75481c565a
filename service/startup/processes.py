"""The processes of an installation, as the Procfile lists them for other process managers."""

import sys
from typing import Final, NamedTuple


class Program(NamedTuple):
    """What one process runs.

    Attributes:
        module: its module, for `python -m`.
        gives_way: by how much it gives way to the processes for which somebody waits at a table (`nice`).
    """

    module: str
    gives_way: int = 0

    def command(self) -> list[str]:
        """The command, with this Python; the folder in which it is given has no say in what is imported (`-P`)."""
        priority = ["nice", "-n", str(self.gives_way)] if self.gives_way else []
        return [*priority, sys.executable, "-P", "-m", self.module]


STORE: Final = Program("service.embedded_store")
"""The one that all others need; it has nothing to do where another store is configured."""
PROGRAMS: Final = {
    "web": Program("service.web"),
    "worker": Program("service.worker", 10),
    "projector": Program("service.projector", 5),
    "bots": Program("service.bots", 5),
    "webhooks": Program("service.webhook_sender", 5),
}
"""The others, by name."""
