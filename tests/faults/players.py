"""All clients of a campaign together, and those who follow their games."""

import time
from typing import Self

from tests.faults.clients import Board, Client
from tests.faults.followers import Follower
from tests.faults.installation import Installation, TableKind
from tests.faults.ledger import Acknowledged, Asked, Ledger
from tests.support.http_play import Answer
from tests.support.servers import eventually

REST_SECONDS = 150.0
"""How long clients may take to get the answers they wait for."""
LOOK_SECONDS = 0.02
FOLLOWERS = 4


class Players:
    """Clients that play on an installation, and some who follow; they stop when this is left."""

    def __init__(self, installation: Installation, clients: int) -> None:
        """Make them; they play from `__enter__` on."""
        self.ledger = Ledger()
        self.board = Board(clients)
        self._api = installation.service.api
        self._tables = installation.tables
        self._key = key = installation.service.key(("create_games",))
        self._bots_games = 0
        self.bots_games: list[str] = []
        self.clients = [
            Client(number, installation, self.board, self.ledger, key=key) for number in range(clients)
        ]
        self.followers: list[Follower] = [
            Follower(number, installation.ports, self.board, self.ledger)
            for number in range(min(FOLLOWERS, clients))
        ]
        self._all: list[Client | Follower] = [*self.clients, *self.followers]

    def __enter__(self) -> Self:
        """Let all begin."""
        for one in self._all:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop all."""
        for one in self._all:
            one.stop()
        for one in self._all:
            one.await_end()

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

    def begin_bots_game(self, table: TableKind | None = None) -> None:
        """Begin a game of bots: it comes to its end by itself, and is validated then."""
        self._bots_games += 1
        table = table or self._tables[0]
        seats = [{"name": f"Bot {seat}", "kind": "bot", "bot": "random"} for seat in range(table.players)]
        body = table.body(seats)
        asked = Asked("/v1/games", body, self._key, f"bots-game-{self._bots_games}", "host")
        answers: list[Answer] = []

        def is_made() -> bool:
            headers = {"Idempotency-Key": asked.key}
            answers.append(self._api.call("POST", asked.path, asked.body, token=asked.token, headers=headers))
            return answers[-1].status == 201

        eventually(is_made, seconds=60)
        made = answers[-1].json
        self.bots_games.append(made["game"])
        told = Acknowledged(asked, made["game"], made["version"], made["hash"], made["version"])
        self.ledger.acknowledge(told, replayed=False)

    def begin_anew(self) -> None:
        """Let every client leave its own game as it stands, and begin another one."""
        for client in self.clients:
            self.board.leave(client.number)

    def give_up(self, game: str, version: int) -> None:
        """Go on with what is left of a game: everything up to this version."""
        self.ledger.give_up(game, version)
        if not version:
            self.board.remove(game)

    def heard(self) -> list[tuple[str, list[str]]]:
        """The games that were followed, each with the chain hashes of its versions as they came in."""
        return [(game, list(hashes)) for each in self.followers for game, hashes in list(each.heard.items())]

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
