"""The bytes that leave never name a card hidden from who gets them: proved with a deck of unlike cards.

Each of the 104 cards has a name of its own, so that the mere occurrence of a name is a leak. Names may stand
only where they say nothing: in the catalogue, and in what can be asked for in a trade.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from events.rules.catalogues.catalogue import Bean, Catalogue
from events.store.redis.redis_store import RedisEventStore
from tests.service.http.context.test_hidden_values import PRIVATE_DATA
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Party, events_of

NAME = re.compile(r"card\d{3}")
UNLIKE = Catalogue(
    name="bohnanza-104",
    title="104 unlike cards",
    total=104,
    source="made up",
    beans=tuple(
        Bean(card=f"card{each:03}", copies=1, provenance="house", names={"en": "?"}, beanometer={"1": 1})
        for each in range(104)
    ),
)
SAYS_NOTHING = {"want", "catalogue"}
"""Members that may name any card: what can be wanted is the whole catalogue, whoever asks."""


@pytest.fixture
def unlike(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application of an operator who plays with the deck of unlike cards."""
    application = InProcess(store, own=[UNLIKE])
    yield application
    application.close()


def named(value: Any) -> set[str]:
    """Every card named in a JSON value, outside the members that say nothing."""
    if isinstance(value, dict):
        return {
            name
            for key, inner in value.items()
            if key not in SAYS_NOTHING
            for name in (*NAME.findall(key), *named(inner))
        }
    if isinstance(value, list):
        return {name for inner in value for name in named(inner)}
    return set(NAME.findall(value)) if isinstance(value, str) else set()


def named_in(body: bytes) -> set[str]:
    """Every card named in an answer, whatever its representation."""
    lines = [line.removeprefix(b"data: ") for line in body.split(b"\n")]
    documents = [json.loads(line) for line in lines if line.startswith(b"{")]
    outside = b"".join(line for line in lines if not line.startswith(b"{"))
    return named(documents) | set(NAME.findall(outside.decode()))


def drawn_in(parts: dict[str, Any]) -> Iterator[int]:
    """The number of every card in the parts of a scene."""
    for name, part in parts.items():
        kind = name.rpartition(".")[2]
        if kind == "fields" and part:
            yield from (card for field in part for _, card in field["cards"])
        elif kind in {"hand", "aside", "revealed", "box"} and isinstance(part, list):
            yield from (card for _, card in part)
        elif kind == "next":
            yield from part or ()
        elif kind == "discard" and part:
            yield from part[1:]
        elif kind == "offers" and part:
            yield from (card for *_, made in part for _, card in made.get("cards", ()))


def known_to(seat: int | None, log: list[Any]) -> set[str]:
    """Every card that a seat or a spectator has been shown by the rules, from the whole log."""
    known: set[str] = set()
    for entry in log:
        private = PRIVATE_DATA.get(entry["type"], {})
        for name, value in entry["data"].items():
            if name not in private or (private[name] and entry["data"][private[name]] == seat):
                known |= named({name: value})
    return known


class Watcher:
    """Somebody who asks for everything there is and keeps what they are told."""

    def __init__(self, api: InProcess, party: Party, seat: int | None) -> None:
        """Look on as a seat, or as a spectator."""
        self.api, self.party, self.seat = api, party, seat
        self.token = party.tokens[seat] if seat is not None else None
        self.statuses: set[int] = set()

    def ask(self, method: str, more: str, body: Any = None, **headers: str) -> set[str]:
        """The cards that one request's answer names."""
        named_so = {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"/v1/games/{self.party.game}{more}"
        answer = self.api.call(method, path, body, token=self.token, headers=named_so)
        self.statuses.add(answer.status)
        return named_in(answer.body)

    def look(self, version: int) -> set[str]:
        """The cards named in every answer that can be read."""
        found = self.ask("GET", "") | self.ask("GET", f"?at={version // 2 + 1}") | self.ask("GET", "?as=all")
        for more in ("/commands", "/record", "/validations", "/events", "/events?as=seat:2"):
            found |= self.ask("GET", more)
        found |= self.ask("GET", "/events", Accept="application/x-ndjson")
        with EventStream(self.api, self.party.game, "?after=0", self.token or "") as stream:
            frames = [stream.event() for _ in range(version)]
        with EventStream(self.api, self.party.game, token=self.token or "") as stream:
            frames.append(stream.named("view"))
        found |= {name for frame in frames for name in named(frame.json)}
        found |= self.draw("/scene") | self.draw(f"/scene?at={version // 2 + 1}") | self.draw("/history")
        return found | named_in(self.api.call("GET", "/v1/games").body)

    def draw(self, more: str) -> set[str]:
        """The cards named or drawn in a scene or a history."""
        answer = self.api.call("GET", f"/v1/games/{self.party.game}{more}", token=self.token)
        self.statuses.add(answer.status)
        return named_or_drawn(answer.json)

    def provoke(self) -> set[str]:
        """The cards named in refusals, conflicts, and dry runs of everything that is legal."""
        found: set[str] = set()
        for body in (
            {"type": "offer", "to": 0, "hand": [99]},
            {"type": "offer", "to": 1, "revealed": [99]},
            {"type": "accept", "offer": 99},
            {"type": "plant_aside", "card": 99, "field": 0},
            {"type": "plant", "field": 9},
            {"type": "cheat"},
        ):
            found |= self.ask("POST", "/commands", body)
            found |= self.ask("POST", "/commands", body, If_Match='"1-00000000"')
        if self.seat is not None:
            for command in self.party.legal(self.seat)["commands"]:
                if "form" not in command:
                    found |= self.ask("POST", "/commands?dry_run=true", command)
                    found |= self.ask(
                        "POST", "/commands?atomic=true", [command, {"type": "plant", "field": 9}]
                    )
                    found |= self.ask("POST", "/commands?dry_run=true", [command, {"type": "draw"}])
        return found


def named_or_drawn(body: Any) -> set[str]:
    """The cards named or drawn in a scene or a history, which begins with the names of all that there are."""
    body = {name: value for name, value in body.items() if name not in {"cards", "card_keys"}}
    keys = ["?", *(bean.card for bean in UNLIKE.beans)]
    layers = body.get("layers", {"open": {"changes": [body.get("scene")]}})
    drawn = {card for layer in layers.values() for parts in layer["changes"] for card in drawn_in(parts)}
    return {keys[card] for card in drawn if card} | named(body)


def test_no_answer_names_a_hidden_card(unlike: InProcess) -> None:
    """Two people and a bot play; seat 1 and a spectator never get a name that the rules have not shown them."""
    with unlike.with_a_bot("greedy") as party:
        watch(unlike, party)


def watch(api: InProcess, party: Party) -> None:
    """Play, and look at everything again and again."""
    watchers = [Watcher(api, party, 1), Watcher(api, party, None)]
    told: list[set[str]] = [set(), set()]
    for _ in range(12):
        party.play(5)
        state = api.get(f"/v1/games/{party.game}")
        if state["status"] == "finished":
            break
        for place, watcher in enumerate(watchers):
            found = watcher.look(state["version"]) | watcher.provoke()
            # Read afterwards: a bot may have played meanwhile, and what it showed may be told.
            log = [event["entry"] for event in events_of(api, party.game, api.key, "all")]
            known = known_to(watcher.seat, log)
            assert found <= known, f"seat {watcher.seat} was told of {found - known}"
            told[place] |= found
    assert len(told[0]) > len(told[1]) > 20
    assert {200, 403, 412, 422} <= watchers[0].statuses
    assert {200, 401, 403} <= watchers[1].statuses


def test_a_form_lets_everybody_ask_for_any_card(unlike: InProcess) -> None:
    """What can be wanted does not depend on who holds what."""
    party = unlike.people()
    for command in ({"type": "plant", "field": 0}, {"type": "reveal"}):
        party.send(0, command)
    for seat in range(3):
        forms = [each["form"] for each in party.legal(seat)["commands"] if each["type"] == "offer"]
        assert [set(form["want"]) for form in forms] == [{bean.card for bean in UNLIKE.beans}]


def test_the_search_would_find_a_leak(unlike: InProcess) -> None:
    """What the arbiter sees is full of hidden cards: the search above is not blind."""
    party = unlike.people()
    log = [event["entry"] for event in events_of(unlike, party.game, unlike.key, "all")]
    for more in ("?as=all", "/events?as=all", "/record?as=all"):
        found = named_in(unlike.call("GET", f"/v1/games/{party.game}{more}", token=unlike.key).body)
        assert len(found - known_to(1, log)) >= 90
    arbiter = Watcher(unlike, party, None)
    arbiter.token = unlike.key
    assert len(arbiter.draw("/history?as=all") - known_to(1, log)) >= 10
    assert len(arbiter.draw("/scene?as=all") - known_to(1, log)) >= 10
