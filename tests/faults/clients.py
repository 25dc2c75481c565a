"""Clients that play on whatever dies: every request is sent again with its key until there is an answer."""

import random
import time
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any

from tests.faults.asking import ANSWER_SECONDS, REFUSALS, SUCCESS, Asking, Stopped
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged, Asked, Ledger, Refused
from tests.support.http_play import BESIDE_THE_GAME, CHATTER, Answer, filled

THINK_SECONDS = 0.05
"""Between two commands."""
UNREADABLE = 501
"""Another release wrote the game."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a game."""

    game: str
    number: int
    token: str


class Board:
    """Who sits where: the first two seats of a game are its owner's, the third is the next client's.

    Attributes:
        all: every game that was ever begun, with its seats.
    """

    def __init__(self, clients: int) -> None:
        """Begin without games."""
        self._lock = Lock()
        self._games: list[tuple[Seat, ...]] = [()] * clients
        self.all: dict[str, tuple[Seat, ...]] = {}

    def put(self, owner: int, seats: tuple[Seat, ...]) -> None:
        """Give a client a new game of its own."""
        with self._lock:
            self._games[owner] = seats
            self.all[seats[0].game] = seats

    def seats(self, client: int) -> list[Seat]:
        """The seats that a client plays now."""
        with self._lock:
            return [*self._games[client][:2], *self._games[client - 1][2:]]

    def token(self, game: str) -> str:
        """The token of a game's first seat."""
        with self._lock:
            return self.all[game][0].token

    def remove(self, game: str) -> None:
        """Take a game away that is gone; its owner makes another one."""
        with self._lock:
            self._games = [() if seats and seats[0].game == game else seats for seats in self._games]

    def leave(self, owner: int) -> None:
        """Take a client's own game away as it stands; it makes another one."""
        with self._lock:
            self._games[owner] = ()

    def has_own(self, client: int) -> bool:
        """Whether the client has a game of its own."""
        with self._lock:
            return bool(self._games[client])

    def owns(self, client: int, game: str) -> bool:
        """Whether this is the client's own game of now."""
        with self._lock:
            own = self._games[client]
            return bool(own) and own[0].game == game


class Client:
    """One client: a thread that plays its seats, one command after the other.

    Attributes:
        answered: when a command was last acknowledged, as `time.monotonic` tells it.
    """

    def __init__(
        self, number: int, installation: Installation, board: Board, ledger: Ledger, *, key: str
    ) -> None:
        """Play on this board; games are made with the integrator's key."""
        self.number = number
        self.answered = 0.0
        self._key = key
        self._board = board
        self._ledger = ledger
        self._dice = random.Random(number)
        self._sent = 0
        self._stopping = Event()
        self._asking = Asking(installation.ports, ledger, self._stopping, installation.passing)
        self._table = installation.tables[number % len(installation.tables)]
        self._playing = Event()
        self._playing.set()
        self._idle = Event()
        self._thread = Thread(target=self._run, name=f"client-{number}", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def hold(self) -> None:
        """Send nothing new from now on; `await_idle` says when the last request is answered."""
        self._playing.clear()

    def await_idle(self, seconds: float) -> bool:
        """Whether the client has come to rest within this time."""
        return self._idle.wait(seconds)

    def go_on(self) -> None:
        """Play on."""
        self._playing.set()

    def stop(self) -> None:
        """Stop for good."""
        self._stopping.set()
        self._playing.set()

    def await_end(self) -> None:
        """Wait until it has stopped."""
        if self._thread.ident is not None:
            self._thread.join(ANSWER_SECONDS + 5)

    def _run(self) -> None:
        try:
            self._new_game()
            while not self._stopping.is_set():
                if not self._playing.is_set():
                    self._idle.set()
                    self._playing.wait()
                    self._idle.clear()
                    continue
                self._step()
                self._stopping.wait(THINK_SECONDS)
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 - a client that breaks is what the campaign must tell of
            self._ledger.find(f"client {self.number} broke: {type(error).__name__}: {error}")
        finally:
            self._idle.set()

    def _new_game(self) -> None:
        body = self._table.body([{"name": f"Player {seat}"} for seat in range(self._table.players)])
        asked = Asked("/v1/games", body, self._key, self._next_key(), "host")
        answer = self._asking.ask("POST", asked.path, body, asked.token, {"Idempotency-Key": asked.key})
        made = answer.json
        if answer.status not in SUCCESS:
            raise AssertionError(f"no game could be made: {answer.body!r}")
        self._acknowledge(asked, made["game"], answer, made["version"])
        seats = tuple(Seat(made["game"], each["seat"], each["token"]) for each in made["seats"])
        self._board.put(self.number, seats)

    def _step(self) -> None:
        if not self._board.has_own(self.number):
            self._new_game()
        seats = self._board.seats(self.number)
        if not seats:
            return
        seat = self._dice.choice(seats)
        path = f"/v1/games/{seat.game}/commands"
        looked = self._asking.ask("GET", path, None, seat.token)
        if looked.status == UNREADABLE:
            self._leave(seat.game)
            return
        if looked.status not in SUCCESS:
            self._ledger.find(f"{path} was answered {looked.status}: {looked.body!r}")
            return
        if not looked.json["waiting_for"]:
            if self._board.owns(self.number, seat.game):
                self._new_game()
            return
        command = self._chosen(looked.json, seat.number)
        if command is not None:
            self._send(seat, command, looked.headers["etag"])

    def _chosen(self, looked: Any, seat: int) -> Any | None:
        """A command that is listed; None to wait for the others."""
        listed = [each for each in looked["commands"] if each["type"] not in BESIDE_THE_GAME]
        talking = [each for each in listed if each["type"] in CHATTER | {"accept"}]
        acting = [each for each in listed if each["type"] not in CHATTER]
        if seat in looked["waiting_for"] and acting and self._dice.random() > 0.3:
            return filled(self._dice.choice(acting), self._dice)
        return (
            filled(self._dice.choice(talking), self._dice) if talking and self._dice.random() < 0.3 else None
        )

    def _send(self, seat: Seat, command: Any, tag: str) -> None:
        path = f"/v1/games/{seat.game}/commands"
        asked = Asked(path, command, seat.token, self._next_key(), f"seat:{seat.number}")
        exactly = {"If-Match": tag} if self._dice.random() < 0.2 else {}
        answer = self._asking.ask(
            "POST", path, command, seat.token, {"Idempotency-Key": asked.key, **exactly}
        )
        if answer.status == UNREADABLE:
            self._leave(seat.game)
        elif answer.status in REFUSALS:
            self._ledger.refuse(Refused(asked, seat.game))
        elif answer.status not in SUCCESS:
            self._ledger.find(f"{command} was answered {answer.status}: {answer.body!r}")
        else:
            self._acknowledge(asked, seat.game, answer, len(answer.json["events"]))

    def _leave(self, game: str) -> None:
        """Begin another game where only another release than those that run can read this one."""
        if self._board.owns(self.number, game):
            self._new_game()

    def _acknowledge(self, asked: Asked, game: str, answer: Answer, events: int) -> None:
        told = answer.json
        acknowledged = Acknowledged(asked, game, told["version"], told["hash"], events)
        self._ledger.acknowledge(acknowledged, replayed="idempotent-replayed" in answer.headers)
        self.answered = time.monotonic()

    def _next_key(self) -> str:
        self._sent += 1
        return f"client-{self.number}-request-{self._sent}"
