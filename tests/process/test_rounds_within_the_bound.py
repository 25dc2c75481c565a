"""The games of a tournament count among the unfinished ones of its organiser's key, and end (docs/tournaments.md)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import pytest

from tests.support.http_play import Answer
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import eventually

MAX_UNFINISHED = 3


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Yield a service that allows a key three unfinished games.

    It has one web process: several together may let a few more through (docs/operating.md).
    """
    with Service(tmp_path_factory.mktemp("bounded")) as running:
        running.start(*EVERYTHING, FIELDBOOK_UNFINISHED_GAMES=str(MAX_UNFINISHED), WEB_PROCESSES="1")
        running.await_ready()
        yield running


class Organiser:
    """A key that announces tournaments and sets games up."""

    GAME: Final = {"system": "bean-duel", "seats": [{"name": "Ada"}, {"name": "Bob"}]}

    def __init__(self, service: Service) -> None:
        """Get a key."""
        self.service, self.key = service, service.key()

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Send a request with the key."""
        return self.service.api.call(method, path, body, token=self.key)

    def announce(self, bots: int, **others: Any) -> str:
        """Announce a tournament, register this number of bots, and return its path."""
        wanted = {"name": "Cup", "system": "bean-duel", "rounds": 2, "sizes": [2], **others}
        path = f"/v1/tournaments/{self.ask('POST', '/v1/tournaments', wanted).json['tournament']}"
        for number in range(bots):
            body = {"player": f"p{number}", "name": f"Bot {number}", "bot": "random"}
            assert self.ask("POST", f"{path}/players", body).status == 201
        return path

    def set_up_if_there_is_room(self) -> Any:
        """Set a game of two people up, and return it; None where the key has too many."""
        made = self.ask("POST", "/v1/games", self.GAME)
        assert made.status == 201 or made.json["code"] == "too_many_games", made.body
        return made.json if made.status == 201 else None

    def resign(self, game: Any) -> int:
        """Let both players leave a game, and return when its last event was (milliseconds)."""
        path = f"/v1/games/{game['game']}/commands"
        for seat in game["seats"]:
            self.service.api.call("POST", path, {"type": "resign"}, token=seat["token"])
        shown = self.ask("GET", f"/v1/games/{game['game']}/events?limit=1000").json["events"]
        assert shown[-1]["entry"]["type"] == "secret_revealed"
        return int(shown[-1]["entry"]["at"])

    def begins(self, path: str) -> bool:
        """Try to start a tournament, and return whether it has begun."""
        return self.ask("POST", f"{path}/start").status == 200

    def running(self) -> set[str]:
        """Return the games that are listed as running."""
        listed = self.ask("GET", "/v1/games?limit=100&status=running").json["games"]
        return {each["game"] for each in listed}

    def has_games(self, path: str) -> bool:
        """Return whether the game of a table of a tournament is set up."""
        return bool(self.games_of(path))

    def games_of(self, path: str) -> list[str]:
        """Return the games of a tournament's tables."""
        tables = [table for each in self.ask("GET", path).json["schedule"] for table in each["tables"]]
        return [table["game"] for table in tables if table["game"]]


def test_a_round_that_has_no_room_is_refused_before_anything_is_set_up(bounded: Service) -> None:
    """The refusal is the one for creating games; with fewer players the tournament begins."""
    club = Organiser(bounded)
    path = club.announce(bots=8)
    refused = club.ask("POST", f"{path}/start")
    assert (refused.status, refused.json["code"]) == (409, "too_many_games")
    assert "4" in refused.json["detail"]
    assert club.ask("GET", path).json["status"] == "registering"
    for player in ("p6", "p7"):
        assert club.ask("DELETE", f"{path}/players/{player}").status == 200

    game = club.set_up_if_there_is_room()
    refused = club.ask("POST", f"{path}/start")
    assert (refused.status, refused.json["code"]) == (409, "too_many_games")
    club.resign(game)
    eventually(partial(club.begins, path), seconds=60)
    assert club.ask("POST", f"{path}/start").status == 200, "a repeated request is not refused"
    eventually(lambda: club.ask("GET", path).json["status"] == "finished", seconds=120)


def test_a_later_round_waits_for_room(bounded: Service) -> None:
    """A game that was late goes on and counts; the next round is paired when its games fit in, and not before."""
    club = Organiser(bounded)
    path = club.announce(bots=3, late_after=20)
    body = {"player": "idle", "name": "Idle"}
    assert club.ask("POST", f"{path}/players", body).status == 201
    assert club.ask("POST", f"{path}/start").status == 200

    def rounds() -> Any:
        return club.ask("GET", path).json["schedule"]

    def is_played_by_bots() -> bool:
        return bool(rounds()) and any(table["outcome"] for table in rounds()[0]["tables"])

    eventually(is_played_by_bots, seconds=60)
    others: list[Any] = []

    def are_set_up() -> bool:
        others.extend(filter(None, [club.set_up_if_there_is_room()]))
        return len(others) == MAX_UNFINISHED - 1

    eventually(are_set_up, seconds=60)
    eventually(lambda: {each["game"] for each in others} <= club.running(), seconds=60)
    eventually(lambda: rounds()[0]["is_closed"], seconds=60)
    ended = max([club.resign(game) for game in others])
    eventually(lambda: len(rounds()) > 1, seconds=60)
    assert rounds()[1]["at"] >= ended


def test_a_game_that_its_round_has_left_behind_ends(bounded: Service) -> None:
    """It is closed when nothing has happened in it for so long; never before its table is late."""
    club = Organiser(bounded)
    for late_after, close_after in ((90_000, 90_000), (20, 86_400), (None, 14 * 86_400)):
        path = club.announce(bots=2, rounds=1, **({} if late_after is None else {"late_after": late_after}))
        eventually(partial(club.begins, path), seconds=60)
        eventually(partial(club.has_games, path), seconds=60)
        (game,) = club.games_of(path)
        first = club.ask("GET", f"/v1/games/{game}/events?limit=1").json["events"][0]
        assert first["entry"]["data"]["close_after"] == close_after
