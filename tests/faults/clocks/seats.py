"""People at tables with clocks: who answers at once, who waits for the last moment, who says nothing; and bots."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, Final

from service.platform.clock import now_milliseconds
from tests.faults.asking import ANSWER_SECONDS, REFUSALS, SUCCESS, Asking, Stopped
from tests.faults.clocks.watched import Late, Look, Watched
from tests.faults.installation import CATALOGUE
from tests.faults.ledger import Acknowledged, Asked, Ledger, Refused
from tests.support.http_play import BESIDE_THE_GAME, CHATTER, Answer, filled

PROMPT, LAST, SILENT, BOT = "prompt", "last", "silent", "bot"
TABLES: Final = (
    (PROMPT, LAST, SILENT),
    (SILENT, PROMPT, BOT),
    (LAST, LAST, BOT),
    (SILENT, SILENT, PROMPT),
    (PROMPT, PROMPT, LAST),
    (LAST, SILENT, BOT, PROMPT),
)
"""Who sits at the tables, one after the other."""
CLOCKS: Final = (
    {"bank": 8, "increment": 2, "cap": 12, "answer": 4, "grace": 1, "strikes": 3},
    {"bank": 0, "increment": 0, "cap": 3, "answer": 3, "grace": 0, "strikes": 4},
    {"bank": 20, "increment": 3, "cap": 25, "answer": 6, "grace": 2, "strikes": 2},
)
"""Clocks as the live ones, with small banks (seconds)."""
LOOK_SECONDS: Final = 0.15
"""Between two rounds of looks at a table."""
LAST_MOMENT: Final = 700
"""Milliseconds before the deadline in which who waits for the last moment sends: or after it, in the grace."""


@dataclass
class Timed:
    """A game with a clock: its seats' tokens, None for a bot's, and what was seen of it."""

    game: str
    manners: Sequence[str]
    tokens: Sequence[str | None]
    watched: Watched = field(default_factory=Watched)
    has_ended: bool = False
    by_itself: bool = False
    """It came to its end before everybody left."""


class ClockedTable:
    """A thread that plays all seats of one game after another.

    Attributes:
        games: all that were begun here.
    """

    def __init__(self, number: int, port: int, ledger: Ledger, *, key: str, seed: int) -> None:
        """Play there; games are made with the integrator's key."""
        self.games: list[Timed] = []
        self._number = number
        self._ledger = ledger
        self._key = key
        self._dice = random.Random(f"{seed} {number}")
        self._sent = 0
        self._stopping = Event()
        self._begins_no_more = Event()
        self._leaves = Event()
        self._asking = Asking((port,), ledger, self._stopping)
        self._thread = Thread(target=self._run, name=f"clocked-table-{number}", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def begin_no_more(self) -> None:
        """Play the game under way to its end, and no other one."""
        self._begins_no_more.set()

    def leave(self) -> None:
        """Everybody resigns, so that the game comes to its end."""
        self._leaves.set()

    def await_end(self, seconds: float) -> bool:
        """Whether the table has come to rest within this time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Stop for good."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(ANSWER_SECONDS + 5)

    def _run(self) -> None:
        try:
            while not (self._stopping.is_set() or self._begins_no_more.is_set()):
                self._play(self._new_game())
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 - a table that breaks is what the campaign must tell of
            self._ledger.find(f"table {self._number} broke: {type(error).__name__}: {error}")

    def _new_game(self) -> Timed:
        turn = len(self.games) + self._number
        manners, clock = TABLES[turn % len(TABLES)], CLOCKS[turn % len(CLOCKS)]
        seats = [
            {"name": f"Bot {seat}", "kind": "bot", "bot": "random"}
            if manner == BOT
            else {"name": f"{manner} {seat}"}
            for seat, manner in enumerate(manners)
        ]
        body = {"system": "classic", "catalogue": CATALOGUE, "seats": seats, "clock": clock}
        asked = Asked("/v1/games", body, self._key, self._next_key(), "host")
        answer = self._asking.ask("POST", asked.path, body, asked.token, {"Idempotency-Key": asked.key})
        if answer.status not in SUCCESS:
            raise AssertionError(f"no game could be made: {answer.body!r}")
        made = answer.json
        self._acknowledge(asked, made["game"], answer, made["version"])
        tokens = {each["seat"]: each["token"] for each in made["seats"] if "token" in each}
        game = Timed(made["game"], manners, [tokens.get(seat) for seat in range(len(manners))])
        self.games.append(game)
        return game

    def _play(self, game: Timed) -> None:
        while not self._stopping.is_set():
            for seat, token in enumerate(game.tokens):
                if token is None or (game.manners[seat] == SILENT and self._dice.random() < 0.7):
                    continue
                if not self._act(game, seat, token):
                    game.has_ended, game.by_itself = True, not self._leaves.is_set()
                    game.watched.until = now_milliseconds()
                    return
            self._stopping.wait(LOOK_SECONDS)
        game.watched.until = now_milliseconds()

    def _act(self, game: Timed, seat: int, token: str) -> bool:
        """Look at a table, and act there if it is time for that; False where the game has ended."""
        asked_at = now_milliseconds()
        looked = self._asking.ask("GET", f"/v1/games/{game.game}/commands", None, token)
        if looked.status not in SUCCESS:
            raise AssertionError(f"game {game.game} was answered {looked.status}: {looked.body!r}")
        table = looked.json
        game.watched.looks.append(Look(asked_at, table["version"]))
        if table["status"] == "finished":
            return False
        command = self._chosen(game, seat, table)
        if command is not None:
            self._send(game, seat, token, command)
        self._have_expired(game, token, table)
        return True

    def _chosen(self, game: Timed, seat: int, table: Any) -> Any | None:
        kinds = {each["type"] for each in table["commands"]}
        if self._leaves.is_set():
            return {"type": "resign"} if "resign" in kinds else None
        waits = [each for each in table["clock"]["waits"] if each["seat"] == seat]
        if game.manners[seat] == SILENT or not self._is_time(game.manners[seat], waits):
            return None
        listed = [each for each in table["commands"] if each["type"] not in BESIDE_THE_GAME]
        answering = [each for each in listed if each["type"] in {"decline", "accept"}]
        acting = [each for each in listed if each["type"] not in CHATTER]
        talking = [each for each in listed if each["type"] in {"offer", "say"}]
        for among, likely in ((answering, 0.5), (talking, 0.15), (acting, 0.9)):
            if among and self._dice.random() < likely:
                return filled(self._dice.choice(among), self._dice)
        return None

    def _is_time(self, manner: str, waits: Sequence[Any]) -> bool:
        """Whether somebody of this manner acts now."""
        if not waits:
            return self._dice.random() < 0.05
        if manner == PROMPT:
            return self._dice.random() < 0.5
        left = min(each["deadline"] for each in waits) - now_milliseconds()
        return bool(left < self._dice.randint(-LAST_MOMENT // 2, LAST_MOMENT))

    def _have_expired(self, game: Timed, token: str, table: Any) -> None:
        """Now and then somebody else asks that what is over is recorded."""
        over = [each for each in table["clock"]["waits"] if each["over_at"] <= now_milliseconds()]
        if over and self._dice.random() < 0.2:
            self._asking.try_once("POST", f"/v1/games/{game.game}/expiries", None, token)

    def _send(self, game: Timed, seat: int, token: str, command: Any) -> None:
        path, sent = f"/v1/games/{game.game}/commands", now_milliseconds()
        asked = Asked(path, command, token, self._next_key(), f"seat:{seat}")
        answer = self._asking.ask("POST", path, command, token, {"Idempotency-Key": asked.key})
        if answer.status in REFUSALS:
            self._ledger.refuse(Refused(asked, game.game))
            if answer.json["code"] == "time_over":
                game.watched.late.append(Late(seat, sent, answer.json["version"]))
        elif answer.status not in SUCCESS:
            self._ledger.find(f"{command} was answered {answer.status}: {answer.body!r}")
        else:
            self._acknowledge(asked, game.game, answer, len(answer.json["events"]))

    def _acknowledge(self, asked: Asked, game: str, answer: Answer, events: int) -> None:
        told = answer.json
        acknowledged = Acknowledged(asked, game, told["version"], told["hash"], events)
        self._ledger.acknowledge(acknowledged, replayed="idempotent-replayed" in answer.headers)

    def _next_key(self) -> str:
        self._sent += 1
        return f"table-{self._number}-request-{self._sent}"


def await_all(tables: Sequence[ClockedTable], seconds: float) -> bool:
    """Whether all tables come to rest within this time."""
    deadline = time.monotonic() + seconds
    ended = [each.await_end(max(0.0, deadline - time.monotonic())) for each in tables]
    return all(ended)
