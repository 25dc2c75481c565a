"""Who appears in the tests of roles, and the games that they ask about."""

import random
from dataclasses import dataclass, field
from typing import Any

from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import VISIBILITIES, GamePolicy
from service.access.keys import OPERATOR
from service.access.store import Keys
from tests.service.http.context.test_hidden_cards import UNLIKE, known_to
from tests.service.in_process import InProcess
from tests.service.projections.test_projector import projected
from tests.support.http_play import Answer, Party, events_of

STATUSES = ("open", "running", "finished")
DELAY = 4
"""Versions that spectators of running games are behind."""
BEHIND = {"nobody", "spectator", "create", "read", "audit", "webhooks"}
"""The roles that are behind."""
REFUSALS = {401: "401", 403: "403"}


@dataclass(frozen=True)
class Game:
    """A game that is asked about."""

    id: str
    visibility: str
    status: str
    seat: str
    """The token of seat 0."""
    spectator: str
    """A spectator's token."""
    known: dict[int | None, set[str]] = field(default_factory=dict)
    """The cards that seat 0, and a spectator, have been shown by the rules."""
    late: tuple[str, ...] = ()
    """The first digits of the chain hashes that spectators must not see yet."""


class Cast:
    """One application with every kind of game and every role."""

    def __init__(self, store: RedisEventStore) -> None:
        """Set up all of it."""
        self.api = InProcess(store, own=[UNLIKE])
        self.keys = Keys(store)
        self.tokens = {
            "creator": self._key("create_games"),
            "create": self._key("create_games"),
            "read": self._key("read_games"),
            "arbitrate": self._key("arbitrate"),
            "audit": self._key("audit"),
            "webhooks": self._key("webhooks"),
            "operator": self.keys.create("operator", (), 1, OPERATOR),
            "revoked": self.keys.create("revoked", (), 1, OPERATOR),
            "malformed": "fbx_0000",
        }
        revoked = self.keys.find(self.tokens["revoked"])
        assert revoked is not None
        self.keys.revoke(revoked, 2)
        self.tokens["other seat"] = self._made("public", [{"name": "Zoe"}, None, None])["seats"][0]["token"]
        self.games = [self._game(visibility, status) for visibility in VISIBILITIES for status in STATUSES]
        self.tournament: str = self._announced()
        """One that `creator` has announced."""
        projected(self.api)

    def token(self, role: str, game: Game | None) -> str | None:
        """What a role sends when it asks about a game."""
        own = game or self.games[0]
        return {"nobody": None, "spectator": own.spectator, "seat": own.seat, **self.tokens}[role]

    def ask(self, method: str, address: str, role: str, game: Game | None, body: Any = None) -> Answer:
        """One request of a role."""
        headers = {"Content-Type": "text/plain"} if address == "/v1/verifications" else {}
        return self.api.call(method, address, body, token=self.token(role, game), headers=headers)

    def _key(self, *scopes: str) -> str:
        return self.keys.create(" ".join(scopes), scopes, 1)

    def _made(self, visibility: str, seats: list[Any]) -> Any:
        body = {
            "system": "classic",
            "seats": seats,
            "visibility": visibility,
            "spectator_delay": DELAY,
        }
        answer = self.api.call("POST", "/v1/games", body, token=self.tokens["creator"])
        assert answer.status == 201, answer.body
        return answer.json

    def _announced(self) -> str:
        body = {"name": "Autumn", "system": "classic", "rounds": 1}
        answer = self.api.call("POST", "/v1/tournaments", body, token=self.tokens["creator"])
        assert answer.status == 201, answer.body
        return str(answer.json["tournament"])

    def _game(self, visibility: str, status: str) -> Game:
        if status == "finished":
            game, seats = self._finished(visibility)
        else:
            last = None if status == "open" else {"name": "Cleo"}
            made = self._made(visibility, [{"name": "Ada"}, {"name": "Bob"}, last])
            game, seats = made["game"], [each["token"] for each in made["seats"] if "token" in each]
        watcher = self.api.call("POST", f"/v1/games/{game}/spectators", {}, token=seats[0]).json["token"]
        if status != "running":
            return Game(game, visibility, status, seats[0], watcher)
        Party(self.api, game, seats, random.Random(5)).play(25)
        log = [each["entry"] for each in events_of(self.api, game, self.tokens["operator"], "all")]
        late = [each["hash"][:8] for each in events_of(self.api, game, seats[0])[-DELAY:]]
        known = {seat: known_to(seat, log) for seat in (None, 0)}
        return Game(game, visibility, status, seats[0], watcher, known, tuple(late))

    def _finished(self, visibility: str) -> tuple[str, list[str]]:
        creator = self.keys.find(self.tokens["creator"])
        assert creator is not None
        policy = GamePolicy(visibility, DELAY, creator.id, (1,))
        stored = self.api.stored(VISIBILITIES.index(visibility) + 1, policy=policy)
        return stored.id, stored.tokens


def outcome(answer: Answer) -> str:
    """Which cell of the table an answer is."""
    if answer.status in REFUSALS:
        return REFUSALS[answer.status]
    if answer.status == 404 and answer.json["code"] == "game_not_found":
        return "404"
    assert answer.status < 500, answer.body
    return "yes"
