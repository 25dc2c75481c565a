"""All clients of a campaign together."""

import time
from typing import Self

from tests.faults.clients import Board, Client
from tests.faults.installation import Installation
from tests.faults.ledger import Ledger

REST_SECONDS = 150.0
"""How long clients may take to get the answers they wait for."""
LOOK_SECONDS = 0.02


class Players:
    """Clients that play on an installation; they stop when this is left."""

    def __init__(self, installation: Installation, clients: int) -> None:
        """Make clients; they play from `__enter__` on."""
        self.ledger = Ledger()
        self.board = Board(clients)
        key = installation.service.key(("games",))
        self.clients = [
            Client(number, installation.service, self.board, self.ledger, key=key)
            for number in range(clients)
        ]

    def __enter__(self) -> Self:
        """Let all clients begin."""
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop all clients."""
        for client in self.clients:
            client.stop()
        for client in self.clients:
            client.await_end()

    def await_acknowledged(self, seconds: float) -> float | None:
        """Seconds until a command of every client was acknowledged from now on; None when it took longer."""
        begun = time.monotonic()
        while any(client.answered < begun for client in self.clients):
            if time.monotonic() > begun + seconds:
                return None
            time.sleep(LOOK_SECONDS)
        return time.monotonic() - begun

    def silent_since(self, begun: float) -> list[int]:
        """The clients without an acknowledged command since then."""
        return [client.number for client in self.clients if client.answered < begun]

    def rest(self) -> None:
        """Let every client get the answer it waits for and send nothing further."""
        for client in self.clients:
            client.hold()
        deadline = time.monotonic() + REST_SECONDS
        for client in self.clients:
            if not client.await_idle(max(0.0, deadline - time.monotonic())):
                self.ledger.find(f"client {client.number} does not come to rest")

    def go_on(self) -> None:
        """Let all clients play on."""
        for client in self.clients:
            client.go_on()
