"""Catalogues of the operator's own over HTTP: offered, chosen, shown with the game, and kept when they are gone."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from events.rules.catalogues.catalogue import Bean, Catalogue, shipped_catalogue
from events.store.redis.redis_store import RedisEventStore
from service.http.context.services import EXTENSION
from service.jobs.jobs import validation_report
from tests.service.in_process import NAMES, InProcess

THREE = [{"name": name} for name in NAMES[:3]]
BOTS = [{"name": f"Bot {number}", "kind": "bot", "bot": "random"} for number in range(3)]
TINY = Catalogue(
    name="tiny",
    title="Two varieties",
    total=40,
    source="made up by the house",
    beans=tuple(
        Bean(card=card, copies=20, provenance="house", names={"en": card}, beanometer={"1": 2, "2": 4})
        for card in ("pinto", "borlotti")
    ),
)
INSTEAD = msgspec.structs.replace(TINY, name="bohnanza-104")
SHIPPED = shipped_catalogue("bohnanza-104")


@pytest.fixture
def own(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application of an operator with a deck beside the shipped ones."""
    application = InProcess(store, own=[TINY])
    yield application
    application.close()


@pytest.fixture
def instead(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application of an operator with a deck in place of a shipped one."""
    application = InProcess(store, own=[INSTEAD])
    yield application
    application.close()


def summary(catalogue: Catalogue, *provenance: str) -> dict[str, Any]:
    """What the API says of a catalogue in short."""
    shown = {"catalogue": catalogue.name, "title": catalogue.title, "source": catalogue.source}
    return {**shown, "provenance": [*provenance], "hash": catalogue.hash()}


def content(catalogue: Catalogue) -> Any:
    """A catalogue as JSON."""
    return msgspec.json.decode(msgspec.json.encode(catalogue))


def header(api: InProcess, game: str) -> Any:
    """The first line of a game's record."""
    return msgspec.json.decode(api.call("GET", f"/v1/games/{game}/record").body.split(b"\n")[0])


def test_a_system_shows_its_catalogue_and_those_that_may_be_chosen(own: InProcess) -> None:
    """With provenance, and what each card is called."""
    shown = own.get("/v1/systems/classic")
    assert shown["catalogue"]["hash"] == SHIPPED.hash()
    assert shown["names"]["blue"]["it"] == "fagiolo blu"
    assert [each["catalogue"] for each in shown["catalogues"]] == ["bohnanza-104", "bohnanza-154", "tiny"]
    assert shown["catalogues"][0] == summary(SHIPPED, "card")
    assert shown["catalogues"][2] == summary(TINY, "house")
    assert [each["catalogue"] for each in own.get("/v1/systems/the-duel")["catalogues"]] == ["the-duel"]


def test_a_game_is_played_with_the_catalogue_that_is_asked_for(own: InProcess) -> None:
    """State, catalogue and record all say which one, and the state pins it by its hash."""
    game = own.create(THREE, catalogue="tiny")["game"]
    state = own.get(f"/v1/games/{game}")
    assert state["played_with"] == summary(TINY, "house")
    assert state["catalogue"] == TINY.hash()
    shown = own.get(f"/v1/games/{game}/catalogue")
    assert shown["catalogue"] == content(TINY)
    assert (shown["hash"], shown["names"]["pinto"]) == (TINY.hash(), {"en": "pinto"})
    assert header(own, game)["catalogue"] == content(TINY)


def test_without_a_wish_a_game_is_played_with_the_usual_catalogue(own: InProcess) -> None:
    """A deck beside the shipped ones changes nothing for who does not ask for it."""
    for wish in ({}, {"catalogue": None}, {"catalogue": "bohnanza-104"}):
        game = own.create(THREE, **wish)["game"]
        assert own.get(f"/v1/games/{game}")["played_with"] == summary(SHIPPED, "card")


def test_a_catalogue_of_the_same_name_takes_the_place_of_a_shipped_one(instead: InProcess) -> None:
    """For every new game of the systems that are played with it."""
    shown = instead.get("/v1/systems/classic")
    assert shown["catalogue"] == {**content(INSTEAD), "hash": INSTEAD.hash()}
    game = instead.create(THREE)["game"]
    assert instead.get(f"/v1/games/{game}")["played_with"] == summary(INSTEAD, "house")


@pytest.mark.parametrize(
    ("system", "seats", "catalogue", "code"),
    [
        ("classic", 3, "hearsay", "unknown_catalogue"),
        ("classic", 3, "the-duel", "wrong_catalogue"),
        ("the-duel", 2, "tiny", "wrong_catalogue"),
        ("classic", 3, "", "schema_violation"),
        ("classic", 3, "x" * 61, "schema_violation"),
        ("classic", 3, 7, "schema_violation"),
    ],
)
def test_a_catalogue_that_cannot_be_played_is_refused(
    own: InProcess, system: str, seats: int, catalogue: object, code: str
) -> None:
    """With a stable code, and no game comes of it."""
    body = {"system": system, "seats": [None] * seats, "catalogue": catalogue}
    answer = own.call("POST", "/v1/games", body, token=own.key)
    assert (answer.status, answer.json["code"]) == (422, code)
    assert not any(own.store.feed_end(partition) for partition in range(own.store.partitions))


def test_a_game_outlives_its_catalogue(store: RedisEventStore, own: InProcess) -> None:
    """A service that no longer has it goes on with the game, shows its past, and gives out its record."""
    party = own.create(THREE, catalogue="tiny")
    game, token = party["game"], party["seats"][0]["token"]
    later = InProcess(store)
    try:
        assert (
            later.call(
                "POST", f"/v1/games/{game}/commands", {"type": "plant", "field": 0}, token=token
            ).status
            == 200
        )
        assert later.get(f"/v1/games/{game}")["played_with"] == summary(TINY, "house")
        assert later.get(f"/v1/games/{game}?at=1")["played_with"] == summary(TINY, "house")
        assert header(later, game)["catalogue"]["name"] == "tiny"
        assert validation_report(store, game, 1)["ok"] is True
    finally:
        later.close()


def test_the_same_request_gets_its_answer_though_the_catalogue_is_gone(
    store: RedisEventStore, own: InProcess
) -> None:
    """An Idempotency-Key is not a new wish."""
    named = {"Idempotency-Key": "a-tiny-game"}
    first = own.create(THREE, headers=named, catalogue="tiny")
    later = InProcess(store)
    try:
        body = {"system": "classic", "seats": THREE, "catalogue": "tiny"}
        again = later.call("POST", "/v1/games", body, token=own.key, headers=named)
        assert (again.status, again.json) == (201, first)
        other = later.call("POST", "/v1/games", body, token=own.key)
        assert (other.status, other.json["code"]) == (422, "unknown_catalogue")
    finally:
        later.close()


def test_bots_play_with_a_catalogue_that_they_have_never_seen(own: InProcess) -> None:
    """The bots' process reads it with the game."""
    with own.with_a_bot("greedy", catalogue="tiny") as party:
        assert party.play()
    assert own.get(f"/v1/games/{party.game}")["status"] == "finished"
    assert validation_report(own.store, party.game, 1)["ok"] is True


def test_a_kept_catalogue_that_is_not_the_pinned_one_is_damage(
    own: InProcess, store: RedisEventStore
) -> None:
    """The log's hash decides: nothing is played with other figures."""
    game = own.create(THREE, catalogue="tiny")["game"]
    for kept in (b"no json", msgspec.json.encode(SHIPPED)):
        own.app.extensions[EXTENSION].tables.forget(game)
        partition = store.partition_of(game)
        store.connection.command("HSET", f"{{p{partition:02}}}:game:{game}:private", "catalogue", kept)
        answer = own.call("GET", f"/v1/games/{game}")
        assert (answer.status, answer.json["code"]) == (500, "log_damaged")
        assert validation_report(store, game, 1)["ok"] is False


def test_a_shipped_catalogue_is_not_kept_again(own: InProcess) -> None:
    """Published catalogues never change, so a game needs no copy of one."""
    assert "catalogue" not in own.store.private(own.create(THREE)["game"])
    assert "catalogue" in own.store.private(own.create(BOTS, catalogue="tiny")["game"])
