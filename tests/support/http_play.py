"""Playing over HTTP with nothing but the legal commands as a guide, as a stranger's first client would."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any, Protocol

from tests.support.servers import eventually

LONGEST_GAME = 6000
"""Commands after which a game is given up as endless."""
TALK = ("anyone?", "two for one", "no, thank you", "\N{SEEDLING}")
CHATTER = {"say", "offer", "counter", "withdraw", "decline"}
"""What a game can go on without."""
BESIDE_THE_GAME = {"ask_take_back", "resign", "come_back", "offer_end", "accept_end", "decline_end"}
"""What nobody plays who wants to come to the end of the game."""


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as a JSON value."""
        return json.loads(self.body)


class Api(Protocol):
    """Something that answers HTTP requests."""

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request; a body is sent as JSON."""
        ...


class OverHttp:
    """An API at a port of this machine."""

    def __init__(self, port: int, seconds: float = 30.0) -> None:
        """Talk to this port; every request has its own connection."""
        self.port = port
        self._seconds = seconds

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> Answer:
        """One request; a body is sent as JSON, or `raw` as it is.

        Raises:
            OSError, http.client.HTTPException: there was no answer.
        """
        sent = {"Connection": "close", **({"Authorization": f"Bearer {token}"} if token else {})}
        content = raw if body is None else json.dumps(body).encode()
        if body is not None:
            sent["Content-Type"] = "application/json"
        connection = HTTPConnection("127.0.0.1", self.port, timeout=self._seconds)
        try:
            connection.request(method, path, content, {**sent, **(headers or {})})
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, names, answer.read())
        finally:
            connection.close()


def events_of(api: Api, game: str, token: str | None = None, viewer: str | None = None) -> list[Any]:
    """All events of a game, page by page."""
    found: list[Any] = []
    after, seen = 0, f"&as={viewer}" if viewer else ""
    while True:
        answer = api.call("GET", f"/v1/games/{game}/events?after={after}{seen}", token=token)
        assert answer.status == 200, answer.body
        page = answer.json
        found += page["events"]
        if page["next"] == page["version"]:
            return found
        after = page["next"]


def await_verdict(api: Api, game: str) -> str:
    """The worker's verdict on a finished game, once it is there."""
    path = f"/v1/games/{game}/validations"
    eventually(lambda: bool(api.call("GET", path).json["validation"] != "pending"), seconds=60)
    return str(api.call("GET", path).json["validation"])


@dataclass
class Party:
    """The people of one game: they look at their legal commands and choose at random.

    They have the first seats; when the game waits for a bot, so do they. `acknowledged` maps every version that
    an answer named to its chain hash.
    """

    api: Api
    game: str
    tokens: Sequence[str]
    dice: random.Random
    acknowledged: dict[int, str] = field(default_factory=dict)

    def legal(self, seat: int) -> Any:
        """What a seat may send, as the API lists it."""
        answer = self.api.call("GET", f"/v1/games/{self.game}/commands", token=self.tokens[seat])
        assert answer.status == 200, answer.body
        return answer.json

    def send(self, seat: int, command: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a command; it was legal a moment ago, so it is accepted unless a bot took the offer meanwhile."""
        path = f"/v1/games/{self.game}/commands"
        answer = self.api.call("POST", path, command, token=self.tokens[seat], headers=headers)
        if answer.status == 422 and answer.json["code"] == "no_such_offer":
            assert any(each["kind"] == "bot" for each in answer.json["state"]["seats"]), (
                command,
                answer.body,
            )
            return answer
        assert answer.status == 200, (command, answer.body)
        for event in answer.json["events"]:
            self.acknowledged[event["entry"]["version"]] = event["hash"]
        return answer

    def turn(self) -> tuple[int, Any] | None:
        """Who acts next and how; None when nobody can act any more."""
        looker = self.dice.randrange(len(self.tokens))
        looked = self.legal(looker)
        if not self._is_our_turn(looked):
            eventually(lambda: self._is_our_turn(self.legal(looker)), seconds=60)
            looked = self.legal(looker)
        if not looked["waiting_for"]:
            return None
        if self.dice.random() < 0.3:
            chatter = [each for each in looked["commands"] if each["type"] in CHATTER | {"accept"}]
            if chatter:
                return looked["seat"], filled(self.dice.choice(chatter), self.dice)
        seat = self.dice.choice(self._people(looked) or [looker])
        looked = looked if seat == looker else self.legal(seat)
        listed = [each for each in looked["commands"] if each["type"] not in BESIDE_THE_GAME]
        going_on = [each for each in listed if each["type"] not in CHATTER]
        return seat, filled(self.dice.choice(going_on or listed), self.dice)

    def _is_our_turn(self, looked: Any) -> bool:
        """Whether the game waits for one of the people, or for nobody any more."""
        return not looked["waiting_for"] or bool(self._people(looked))

    def _people(self, looked: Any) -> list[int]:
        """Which of the people the game waits for."""
        return [seat for seat in looked["waiting_for"] if seat < len(self.tokens)]

    def play(self, most: int = LONGEST_GAME) -> bool:
        """Play so many commands, or to the end; True when the game has ended."""
        for _ in range(most):
            chosen = self.turn()
            if chosen is None:
                return True
            self.send(*chosen)
        assert most < LONGEST_GAME, "the game does not end"
        return False


def filled(listed: Any, dice: random.Random) -> Any:
    """A listed command as it is, or one that matches the listed form."""
    form = listed.get("form")
    match listed["type"] if form is not None else "":
        case "say":
            return {"type": "say", "text": dice.choice(TALK)}
        case "offer":
            return {"type": "offer", "to": dice.choice(form["to"]), **_trade(form, dice)}
        case "counter":
            return {"type": "counter", "offer": dice.choice(form["offer"]), **_trade(form, dice)}
        case "accept":
            return {"type": "accept", "offer": form["offer"], **_payment(form, dice)}
        case _:
            return listed


def _trade(form: Any, dice: random.Random) -> dict[str, Any]:
    trade: dict[str, Any] = {
        name: dice.sample(form[name], dice.randint(0, min(1, len(form[name]))))
        for name in ("hand", "revealed", "want_revealed")
    }
    if dice.random() < 0.5 or not any(trade.values()):
        trade["want"] = {dice.choice(sorted(form["want"])): 1}
    return trade


def _payment(form: Any, dice: random.Random) -> dict[str, Any]:
    paid: dict[str, list[int]] = {"hand": [], "revealed": list(form["revealed"])}
    for payment in form["payments"]:
        choices = [
            (where, number) for where in paid for number in payment[where] if number not in paid[where]
        ]
        for where, number in dice.sample(choices, payment["count"]):
            paid[where].append(number)
    return paid
