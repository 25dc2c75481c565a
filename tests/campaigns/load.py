"""Clients that play through every fault: they repeat each request with its key until it is answered.

Followers of their streams reconnect with `Last-Event-ID`. The ledger records every answer.
"""

import json
import random
import socket
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from itertools import cycle
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple, Self

from tests.campaigns.installation import Installation, TableKind
from tests.support.http_play import BESIDE_THE_GAME, CHATTER, Answer, OverHttp, filled
from tests.support.streams import END, events_in

ANSWER_SECONDS: Final = 30.0  # an attempt without an answer by then counts as hanging, which no fault excuses
PERSISTENCE_SECONDS: Final = 120.0  # how long a request is repeated before it counts as never answered
REST_SECONDS: Final = 150.0
SILENCE_SECONDS: Final = 25.0
"""A stream without a frame for longer is a finding; a heartbeat comes at worst every 20 seconds."""
PAUSE_SECONDS: Final = 0.1
THINK_SECONDS: Final = 0.05
SUCCESS: Final = frozenset({200, 201})
REFUSALS: Final = frozenset({412, 422})
USUAL: Final = frozenset({"200", "201", "refused", "acknowledged", "replayed", "given up"})
"""Counts that say nothing about a fault."""
UNREADABLE: Final = 501  # the answer where another release wrote the game


class Sent(NamedTuple):
    """A request that appends: path, body, token, idempotency key, and the actor as the log names it (`seat:0`)."""

    path: str
    body: Any
    token: str
    key: str
    actor: str

    @property
    def command_id(self) -> str:
        """The name of the request in the store."""
        return f"{self.actor}:key-{self.key}"


class Acknowledged(NamedTuple):
    """A request that succeeded: the chain head after it, and how many entries it appended.

    `sent` is None where a client chooses the idempotency key itself.
    """

    sent: Sent | None
    game: str
    version: int
    hash: str
    events: int


class Ledger:
    """All answers to clients, for comparison with the log; safe for many threads.

    Attributes:
        counts: each attempt by status and code or by the name of its error, and what was `acknowledged`, `replayed`
        as the
            repeated answer of an earlier attempt, and `given up` by an operator after a reported loss.
        longest: the seconds of the slowest answer.
        latencies: moments (`time.monotonic`) of acknowledged commands, each with its seconds since it was due.
        lags: moments at which streams delivered an event, each with the seconds since the event.
        refused: requests that the log must not contain, each with its game.
        given_up: games whose lost end was given up.
    """

    def __init__(self) -> None:
        self._lock, self.longest = Lock(), 0.0
        self._findings: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.acknowledged: list[Acknowledged] = []
        self.refused: list[tuple[str, Sent]] = []
        self.latencies: list[tuple[float, float]] = []
        self.lags: list[tuple[float, float]] = []
        self.given_up: set[str] = set()

    def acknowledge(self, answered: Acknowledged, *, replayed: bool = False) -> None:
        self.acknowledged.append(answered)
        self.count("acknowledged")
        if replayed:
            self.count("replayed")

    def give_up(self, game: str, version: int) -> None:
        """Stop expecting what was acknowledged of a game after this version; all clients must be at rest."""
        left = [each for each in self.acknowledged if each.game != game or each.version <= version]
        with self._lock:
            self.counts["given up"] += len(self.acknowledged) - len(left)
        self.acknowledged = left
        self.given_up.add(game)

    def count(self, what: str, seconds: float = 0.0) -> None:
        """Count one attempt at a request, and how long its answer took."""
        with self._lock:
            self.counts[what] += 1
            self.longest = max(self.longest, seconds)

    def find(self, *findings: str) -> None:
        """Record violations; repeated ones are counted."""
        with self._lock:
            self._findings.update(findings)

    @property
    def findings(self) -> list[str]:
        with self._lock:
            found = self._findings.items()
            return [text if count == 1 else f"{text} ({count} times)" for text, count in found]

    def newest(self) -> dict[str, Acknowledged]:
        """Return the newest acknowledged version of each game."""
        return {each.game: each for each in sorted(self.acknowledged, key=lambda each: each.version)}


def failures(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often attempts did not succeed, by answer."""
    return {kind: count for kind, count in sorted(counts.items()) if kind not in USUAL}


def part_of(ordered: Sequence[float], share: float) -> float:
    """Return the value that this share of ordered values does not exceed; 0 where there are none."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0.0


class Stopped(Exception):
    """The client was stopped while it waited for an answer."""


class Requests:
    """The requests of one client, sent to some ports in turn until it is stopped."""

    def __init__(self, name: str, ports: Sequence[int], ledger: Ledger, stopping: Event) -> None:
        self._apis = cycle([OverHttp(port, ANSWER_SECONDS) for port in ports])
        self._name, self._ledger, self._stopping = name, ledger, stopping
        self._sent = 0

    def ask(
        self, method: str, path: str, body: Any, token: str, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Repeat a request until it is answered with something else than 503.

        Raises:
            Stopped: the client was stopped before.
        """
        deadline = time.monotonic() + PERSISTENCE_SECONDS
        while time.monotonic() < deadline:
            if (answer := self.try_once(method, path, body, token, headers)) is not None:
                return answer
            if self._stopping.wait(PAUSE_SECONDS):
                raise Stopped
        self._ledger.find(f"{method} {path} had no answer within {PERSISTENCE_SECONDS:.0f} s")
        raise Stopped

    def try_once(
        self, method: str, path: str, body: Any, token: str, headers: Mapping[str, str] | None = None
    ) -> Answer | None:
        """Send a request once; return None where there was no answer, or 503."""
        begun = time.monotonic()
        try:
            answer = next(self._apis).call(method, path, body, token=token, headers=headers)
        except TimeoutError:
            self._ledger.find(f"{method} {path} hung for {ANSWER_SECONDS:.0f} s")
            return None
        except (OSError, HTTPException, ValueError) as error:
            self._ledger.count(type(error).__name__, time.monotonic() - begun)
            return None
        is_problem = answer.headers.get("content-type") == "application/problem+json"
        kind = f"{answer.status} {answer.json['code']}" if is_problem else str(answer.status)
        self._ledger.count("refused" if answer.status in REFUSALS else kind, time.monotonic() - begun)
        if answer.status != 503:
            return answer
        if "retry-after" not in answer.headers:
            self._ledger.find(f"{method} {path} was answered 503 without Retry-After: {answer.body!r}")
        return None

    def create(self, body: Any, key: str) -> Any:
        """Create a game, and return the answer's JSON."""
        sent = self._sent_request("/v1/games", body, key, "host")
        answer = self.ask("POST", sent.path, body, key, {"Idempotency-Key": sent.key})
        if answer.status not in SUCCESS:
            raise AssertionError(f"no game could be created: {answer.body!r}")
        self._acknowledge(sent, answer, answer.json["game"], answer.json["version"])
        return answer.json

    def command(self, game: str, seat: int, token: str, command: Any, tag: str = "") -> Answer:
        """Send a command, with `tag` as If-Match, and record its answer in the ledger."""
        sent = self._sent_request(f"/v1/games/{game}/commands", command, token, f"seat:{seat}")
        headers = {"Idempotency-Key": sent.key, **({"If-Match": tag} if tag else {})}
        answer = self.ask("POST", sent.path, command, token, headers)
        if answer.status in REFUSALS:
            self._ledger.refused.append((game, sent))
        elif answer.status in SUCCESS:
            self._acknowledge(sent, answer, game, len(answer.json["events"]))
        elif answer.status != UNREADABLE:
            self._ledger.find(f"{command} was answered {answer.status}: {answer.body!r}")
        return answer

    def _sent_request(self, path: str, body: Any, token: str, actor: str) -> Sent:
        self._sent += 1
        return Sent(path, body, token, f"{self._name}-{self._sent}", actor)

    def _acknowledge(self, sent: Sent, answer: Answer, game: str, events: int) -> None:
        acknowledged = Acknowledged(sent, game, answer.json["version"], answer.json["hash"], events)
        self._ledger.acknowledge(acknowledged, replayed="idempotent-replayed" in answer.headers)


class Seat(NamedTuple):
    """A seat of a game."""

    game: str
    number: int
    token: str


class Board:
    """The seats of the players: the first two seats of a game are its owner's, the others the next client's.

    Attributes:
        all: the seats of every game ever begun.
        left: games that their owners left unfinished.
    """

    def __init__(self, clients: int) -> None:
        self._lock = Lock()
        self._games: list[tuple[Seat, ...]] = [()] * clients
        self.all: dict[str, tuple[Seat, ...]] = {}
        self.left: set[str] = set()

    def put(self, owner: int, seats: tuple[Seat, ...]) -> None:
        with self._lock:
            self._games[owner] = self.all[seats[0].game] = seats

    def seats(self, client: int) -> list[Seat]:
        with self._lock:
            return [*self._games[client][:2], *self._games[client - 1][2:]]

    def own(self, client: int) -> str:
        """Return the game that a client owns now; empty where it owns none."""
        with self._lock:
            return self._games[client][0].game if self._games[client] else ""

    def leave(self, game: str) -> None:
        """Take a game from its owner, who then creates another one."""
        with self._lock:
            self.left.add(game)
            self._games = [() if seats and seats[0].game == game else seats for seats in self._games]


class Stoppable(Thread):
    """A daemon thread that ends when it is stopped; an error that it raises becomes a finding."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        super().__init__(name=name, daemon=True)
        self.ledger = ledger
        self.stopping = Event()

    def run(self) -> None:
        try:
            self.work()
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 - reported as a finding
            self.ledger.find(f"{self.name} broke: {type(error).__name__}: {error}")

    def work(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        self.stopping.set()

    def await_end(self) -> None:
        if self.ident is not None:
            self.join(ANSWER_SECONDS + 5)


class Client(Stoppable):
    """A player of random legal commands on its seats.

    Attributes:
        answered: when a command or a new game of this client was last acknowledged (`time.monotonic`).
        interval: seconds between the moments at which commands are due; None to pause after each answer instead.
        playing: cleared to send nothing new; `idle` is set once the last request is answered.
    """

    def __init__(self, number: int, installation: Installation, players: "Players", pause: float) -> None:
        super().__init__(f"client-{number}", players.ledger)
        self.number = number
        self.answered = 0.0
        self.interval: float | None = None
        self.playing, self.idle = Event(), Event()
        self.playing.set()
        self._pause, self._due = pause, time.monotonic()
        self._board, self._key = players.board, players.key
        self._dice = random.Random(number)
        self._requests = Requests(self.name, installation.ports, self.ledger, self.stopping)
        self._table = installation.setting.tables[number % len(installation.setting.tables)]

    def stop(self) -> None:
        super().stop()
        self.playing.set()

    def work(self) -> None:
        try:
            while not self.stopping.is_set():
                if not self.playing.is_set():
                    self.idle.set()
                    self.playing.wait()
                    self.idle.clear()
                    self._due = time.monotonic()
                elif self.interval is None:
                    self._due = time.monotonic()
                    self._step()
                    self.stopping.wait(self._pause)
                elif not self.stopping.wait(max(0.0, self._due - time.monotonic())):
                    if self._step():
                        self._due = self._due + self.interval if self.interval else time.monotonic()
                    else:
                        self.stopping.wait(PAUSE_SECONDS / 10)
        finally:
            self.idle.set()

    def _new_game(self) -> None:
        seats = [{"name": f"Player {seat}"} for seat in range(self._table.players)]
        made = self._requests.create(self._table.body(seats), self._key)
        self.answered = time.monotonic()
        places = (Seat(made["game"], each["seat"], each["token"]) for each in made["seats"])
        self._board.put(self.number, tuple(places))

    def _step(self) -> bool:
        """Look at a game and perhaps send a command; return whether one was sent."""
        if not self._board.own(self.number):
            self._new_game()
        if not (seats := self._board.seats(self.number)):
            return False
        seat = self._dice.choice(seats)
        path = f"/v1/games/{seat.game}/commands"
        looked = self._requests.ask("GET", path, None, seat.token)
        if looked.status not in SUCCESS:
            if looked.status != UNREADABLE and seat.game not in self._board.left:
                self.ledger.find(f"{path} was answered {looked.status}: {looked.body!r}")
            command, is_over = None, looked.status == UNREADABLE
        else:
            command, is_over = self._chosen(looked.json, seat.number), not looked.json["waiting_for"]
        if command is not None:
            tag = looked.headers["etag"] if self._dice.random() < 0.2 else ""
            answer = self._requests.command(seat.game, seat.number, seat.token, command, tag)
            is_over = answer.status == UNREADABLE
            if answer.status in SUCCESS:
                self.answered = time.monotonic()
                self.ledger.latencies.append((self.answered, self.answered - self._due))
        if is_over and self._board.own(self.number) == seat.game:
            self._new_game()
        return command is not None

    def _chosen(self, looked: Any, seat: int) -> Any | None:
        """Choose a listed command; None to wait for the others."""
        if not looked["waiting_for"]:
            return None
        listed = [each for each in looked["commands"] if each["type"] not in BESIDE_THE_GAME]
        talking = [each for each in listed if each["type"] in CHATTER | {"accept"}]
        acting = [each for each in listed if each["type"] not in CHATTER]
        if seat in looked["waiting_for"] and acting and self._dice.random() > 0.3:
            return filled(self._dice.choice(acting), self._dice)
        talks = talking and self._dice.random() < 0.3
        return filled(self._dice.choice(talking), self._dice) if talks else None


class Follower(Stoppable):
    """A thread that follows the games of one client, each to its end.

    Attributes:
        heard: the chain hashes of all versions that arrived, by game.
        ended: games whose streams came to their end.
    """

    def __init__(self, number: int, ports: Sequence[int], board: Board, ledger: Ledger) -> None:
        super().__init__(f"follower-{number}", ledger)
        self.heard: dict[str, list[str]] = {}
        self.ended: set[str] = set()
        self._number, self._ports, self._board = number, cycle(ports), board
        self._stream: socket.socket | None = None

    def stop(self) -> None:
        """Stop, and cut the stream."""
        super().stop()
        if (stream := self._stream) is not None:
            with suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)

    def work(self) -> None:
        game = ""
        while not self.stopping.wait(2 * PAUSE_SECONDS):
            if not game or game in self.ended | self._board.left:
                game = self._board.own(self._number)
            if game and game not in self.ended:
                self._follow(game)

    def _follow(self, game: str) -> None:
        """Follow a game until its stream is cut or it has ended."""
        known = self.heard.setdefault(game, [])
        connection = HTTPConnection("127.0.0.1", next(self._ports), timeout=SILENCE_SECONDS)
        # The cursor contains the hash too, so the service notices a history that has become another one.
        last = {"Last-Event-ID": f"{len(known)}-{known[-1][:8]}"} if known else {}
        path = f"/v1/games/{game}/events{'' if known else '?after=0'}"
        begun = time.time()
        try:
            connection.request("GET", path, headers={"Accept": "text/event-stream", **last})
            self._stream = connection.sock
            answer = connection.getresponse()
            if answer.status == 200:
                self._listen(game, known, answer, begun)
            elif answer.status == 409:
                problem = json.loads(answer.read())
                self.ledger.count(f"stream: {problem['code']}")
                del known[problem["shared"] :]
            elif answer.status == 404:
                known.clear()
        except TimeoutError:
            self.ledger.find(f"a stream was silent for {SILENCE_SECONDS:.0f} s")
        except (OSError, HTTPException) as error:
            self.ledger.count(f"stream: {type(error).__name__}")
        finally:
            self._stream = None
            connection.close()

    def _listen(self, game: str, known: list[str], answer: HTTPResponse, begun: float) -> None:
        for event in events_in(answer):
            if event == END:
                self.ended.add(game)
            if isinstance(event, str):
                self.ledger.count("200" if event == END else f"stream: frame {event}")
                return
            if self.stopping.is_set():
                return
            if event.version != len(known) + 1:
                self.ledger.find(f"the stream of {game} went from version {len(known)} to {event.version}")
                return
            known.append(event.hash)
            if event.at >= 1000 * begun:
                self.ledger.lags.append((time.monotonic(), time.time() - event.at / 1000))


class Players:
    """Clients that play on an installation, and some followers; they stop when this is left.

    Attributes:
        bots_games: the games of bots that were begun, besides those of the clients.
    """

    def __init__(
        self, installation: Installation, clients: int, *, followers: int = 4, pause: float = THINK_SECONDS
    ) -> None:
        self.ledger, self.board = Ledger(), Board(clients)
        self.key = installation.service.key(("create_games",))
        self.bots_games: list[str] = []
        self._tables = cycle(installation.setting.tables)
        self.requests = Requests("bots", installation.ports, self.ledger, Event())
        self.clients = [Client(number, installation, self, pause) for number in range(clients)]
        self.followers = [
            Follower(number, installation.ports, self.board, self.ledger)
            for number in range(min(followers, clients))
        ]
        self._all: list[Stoppable] = [*self.clients, *self.followers]

    def __enter__(self) -> Self:
        for one in self._all:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._all:
            one.stop()
        for one in self._all:
            one.await_end()

    def silent_since(self, begun: float) -> list[int]:
        """Return the clients without an acknowledged command since then."""
        return [client.number for client in self.clients if client.answered < begun]

    def await_acknowledged(self, seconds: float) -> bool:
        """Wait until every client has had a command acknowledged from now on; return whether it was in time."""
        begun = time.monotonic()
        while self.silent_since(begun) and time.monotonic() < begun + seconds:
            time.sleep(PAUSE_SECONDS / 5)
        return not self.silent_since(begun)

    def begin_bots_game(self, table: TableKind | None = None) -> None:
        """Create a game of bots, which ends on its own and is validated then."""
        table = table or next(self._tables)
        seats = [{"name": f"Bot {seat}", "kind": "bot", "bot": "random"} for seat in range(table.players)]
        self.bots_games.append(self.requests.create(table.body(seats), self.key)["game"])

    def begin_anew(self) -> None:
        """Let every client leave its game as it is, and begin another one."""
        for client in self.clients:
            self.board.leave(self.board.own(client.number))

    def heard(self) -> list[tuple[str, list[str], bool]]:
        """Return the followed games, with the hashes that arrived and whether the stream came to its end."""
        found = [(each, [*each.heard.items()]) for each in self.followers]
        return [(game, [*hashes], game in each.ended) for each, games in found for game, hashes in games]

    def rest(self) -> None:
        """Wait until every client has its answer, and let none send anything new."""
        for client in self.clients:
            client.playing.clear()
        deadline = time.monotonic() + REST_SECONDS
        for client in self.clients:
            if not client.idle.wait(max(0.0, deadline - time.monotonic())):
                self.ledger.find(f"client {client.number} does not come to rest")

    def go_on(self) -> None:
        for client in self.clients:
            client.playing.set()
