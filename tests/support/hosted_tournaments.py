"""Tournaments over HTTP in this process, moved on by the test at moments that it chooses."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from events.store.redis.keys import GameKeys, dispute_queue_key
from service.catalogues.catalogues import Catalogues
from service.platform.clock import now_milliseconds
from service.tournaments.driving import TournamentDriver
from tests.service.in_process import InProcess
from tests.support.commands import replay
from tests.support.http_play import Party


class TournamentSteps:
    """Moves tournaments on, a step each time a test says so."""

    def __init__(self, api: InProcess) -> None:
        """Begin as a process that has read none of their games, with the settings of the environment."""
        self._driver = TournamentDriver(api.store, Catalogues())

    def take(self, tournament: str, after: float = 0) -> bool:
        """Do what is due so many seconds from now; return whether there is more to do at once."""
        return self._driver.move_on(tournament, now_milliseconds() + int(1000 * after))


class HostedTournament:
    """A tournament of people and bots.

    Attributes:
        id: the tournament's id.
        organiser: the key that announced it.
        tokens: each person's token of the tournament, by player.
    """

    def __init__(
        self, api: InProcess, people: Sequence[str], bots: Sequence[str] = (), **wanted: Any
    ) -> None:
        """Announce it, register these people and these bots by their kind, and start it."""
        self._api = api
        self.organiser = api.new_key("create_games")
        self.restart()
        body = {
            "name": "Autumn",
            "system": "bean-duel",
            "rounds": 1,
            "sizes": [2],
            "format": "swiss",
            **wanted,
        }
        answer = api.call("POST", "/v1/tournaments", body, token=self.organiser)
        assert answer.status == 201, answer.body
        self.id = answer.json["tournament"]
        self.tokens = {name: self._register(name) for name in people}
        for number, bot in enumerate(bots):
            self._register(f"bot-{number}", bot=bot)
        assert api.call("POST", f"/v1/tournaments/{self.id}/start", token=self.organiser).status == 200
        self.move_on()

    def _register(self, name: str, **more: Any) -> str:
        body = {"player": name, "name": name.title(), **more}
        answer = self._api.call("POST", f"/v1/tournaments/{self.id}/players", body, token=self.organiser)
        assert answer.status == 201, answer.body
        return str(answer.json.get("token", ""))

    def restart(self) -> None:
        """Let another process move it on, one that has read none of its games."""
        self._steps = TournamentSteps(self._api)

    def damage(self, game: str) -> None:
        """Remove an entry from the log of a game, as a faulty disk or a person does."""
        store = self._api.store
        store.connection.command("XDEL", GameKeys(game, store.partitions).log, "2-0")
        self.restart()

    def damage_cases(self, game: str, way: str) -> None:
        """Damage what is stored about the cases of a game: an `entry`, an `answer` to a request, or the `result`."""
        store = self._api.store
        keys, command = GameKeys(game, store.partitions), store.connection.command
        if way == "entry":
            command("XDEL", keys.disputes, "1-0")
        elif way == "answer":
            entries = command("XRANGE", keys.disputes, "-", "+")
            command("DEL", keys.disputes)
            for place, fields in entries:
                command("XADD", keys.disputes, place, *fields[:-1], b"\xff")
        else:
            results = dispute_queue_key(store.partition_of(game), "results")
            command("HSET", results, game, b"\xff")
        self.restart()

    def tables(self) -> dict[str, dict[str, Any]]:
        """Return the tables of the last round by their games."""
        shown = self._api.get(f"/v1/tournaments/{self.id}")
        return {table["game"]: table for table in shown["schedule"][-1]["tables"]}

    def move_on(self, after: float = 0) -> None:
        """Do what is due so many seconds from now."""
        while self._steps.take(self.id, after):
            pass

    def seat(self, player: str) -> dict[str, Any]:
        """Return where a person sits now: `game`, `seat` and `token`."""
        body = {"player": player, "token": self.tokens[player]}
        answer = self._api.call("POST", f"/v1/tournaments/{self.id}/seat", body)
        assert answer.status == 200, answer.body
        return dict(answer.json)

    def table_of(self, *players: str) -> Party:
        """Return the game at which these people sit; its tokens are in the order of the seats."""
        seats = sorted((self.seat(each) for each in players), key=lambda each: int(each["seat"]))
        return Party(self._api, seats[0]["game"], [each["token"] for each in seats], random.Random(1))

    def points(self) -> dict[str, int]:
        """Return each player's points as everybody sees them."""
        shown = self._api.get(f"/v1/tournaments/{self.id}")
        return {row["player"]: row["points"] for row in shown["standings"]}

    def audit(self, folder: Path) -> int:
        """Return the exit status of an auditor who has the log and the records of all tables that count."""
        shown = self._api.get(f"/v1/tournaments/{self.id}")
        tables = [table for played in shown["schedule"] for table in played["tables"]]
        games = [each["game"] for each in tables if (each["outcome"] or {}).get("kind") != "given_up"]
        log = self._save(folder / "log", f"/v1/tournaments/{self.id}/log")
        records = [self._save(folder / game, f"/v1/games/{game}/record") for game in games]
        return replay("tournament", log, *records).returncode

    def _save(self, file: Path, path: str) -> str:
        file.write_bytes(self._api.call("GET", path).body)
        return str(file)
