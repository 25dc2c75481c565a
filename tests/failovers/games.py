"""Games that go on while servers fail: bots in a thread, and people who send again what was not acknowledged."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from threading import Event
from typing import Any, Final, Self

from events.rules.systems.registry import BY_KEY
from replay.verification.verify import verify_lines
from service.bot_seats.bot_players import BotPlayers
from tests.failovers.witnessed_store import WitnessedStore
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party

OUTAGE_SECONDS: Final = 60.0
"""How long people go on asking; longer than any failover here takes."""


class Insistent:
    """An API asked as a client should: what is answered with 503 is sent again, unchanged, with the same key."""

    def __init__(self, api: InProcess) -> None:
        """Ask this API."""
        self._api = api
        self._keys = count(1)
        self.refused = 0
        """Answers that asked to try again."""

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request, until it is answered."""
        sent = dict(headers or {})
        if method == "POST":
            sent["Idempotency-Key"] = f"{id(self):x}-{next(self._keys)}"
        deadline = time.monotonic() + OUTAGE_SECONDS
        while True:
            answer = self._api.call(method, path, body, token=token, headers=sent)
            if answer.status != 503 or time.monotonic() > deadline:
                return answer
            assert answer.json["code"] in {"store_unavailable", "game_busy"}, answer.json
            assert "retry-after" in answer.headers
            self.refused += 1
            time.sleep(0.1)


class Play:
    """Games under way on a store, in threads of this process."""

    def __init__(self, store: WitnessedStore) -> None:
        """Begin without any game."""
        self.store = store
        self._api = InProcess(store)
        self.people = Insistent(self._api)
        self._stopping = Event()
        self._threads = ThreadPoolExecutor(8)
        self._bots = self._threads.submit(BotPlayers(store).run, self._stopping)
        self.games: list[str] = []
        self._parties: list[Future[bool]] = []

    def __enter__(self) -> Self:
        """Return the games."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop playing, finished or not."""
        self._stopping.set()
        self._threads.shutdown()
        self._api.close()

    def begin_with_bots(self, system: str, seed: int = 1) -> str:
        """Set up a game of bots."""
        seats = [
            {"name": f"Bot {seat}", "kind": "bot", "bot": "greedy", "seed": f"{seed}-{seat}"}
            for seat in range(BY_KEY[system].players[0])
        ]
        return str(self._created(system, seats)["game"])

    def begin_with_people(self, system: str, seed: int = 1) -> str:
        """Set up a game of people, and let them play."""
        made = self._created(system, [{"name": name} for name in NAMES[: BY_KEY[system].players[0]]])
        tokens = [seat["token"] for seat in made["seats"]]
        party = Party(self.people, made["game"], tokens, random.Random(seed))
        self._parties.append(self._threads.submit(party.play))
        return str(made["game"])

    def _created(self, system: str, seats: Sequence[Mapping[str, str]]) -> Any:
        body = {"system": system, "seats": seats}
        answer = self.people.call("POST", "/v1/games", body, token=self._api.key)
        assert answer.status == 201, answer.body
        self.games.append(answer.json["game"])
        return answer.json

    def is_finished(self, game: str) -> bool:
        """Whether a game has come to its end."""
        return bool(self.people.call("GET", f"/v1/games/{game}").json["status"] == "finished")

    def unfinished(self) -> list[str]:
        """The games that are still being played."""
        return [game for game in self.games if not self.is_finished(game)]

    def await_appends(self, number: int, seconds: float = OUTAGE_SECONDS) -> None:
        """Wait until so many more appends are acknowledged."""
        wanted = len(self.store.acknowledged) + number
        self._await(lambda: len(self.store.acknowledged) >= wanted, seconds)

    def await_end(self, seconds: float) -> None:
        """Wait until every game is over; whoever plays must not have failed."""
        self._await(lambda: all(map(self.is_finished, self.games)), seconds)
        assert all(party.result() for party in self._parties)

    def _await(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            players: tuple[Future[Any], ...] = (self._bots, *self._parties)
            for one in players:
                if one.done():
                    # Whatever went wrong in its thread is raised here.
                    one.result()
            assert time.monotonic() < deadline
            # Looking takes the time of those who play.
            time.sleep(0.25)

    def broken_records(self) -> list[str]:
        """The games whose record does not verify, with what is wrong."""
        found = []
        for game in self.games:
            record = self.people.call("GET", f"/v1/games/{game}/record").body
            report = verify_lines(record.splitlines(keepends=True))
            if not report.ok:
                found.append(f"{game}: {report}")
        return found
