"""Games that are set up without a key: what guests may, how many, and what stays for holders of keys."""

import random
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access import guests
from service.access.rate_limits import QUOTAS, Quota
from service.http.context import creators
from service.http.context.services import EXTENSION, Services
from service.platform.configuration import GUEST_GAMES, BadSetting
from service.projections import unfinished_games
from service.startup.web_settings import WebSettings
from tests.service.in_process import NAMES, InProcess
from tests.service.projections.listing import differences, project
from tests.service.projections.test_rebuilding import rebuild
from tests.support.http_play import Answer, Party

BOTS = [{"name": name, "kind": "bot", "bot": "greedy"} for name in NAMES[1:3]]
TABLE = [{"name": "Ada"}, *BOTS]
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"
MOST = 3


@pytest.fixture
def proxied(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., InProcess]]:
    """Make an application that a proxy tells addresses, in which every question counts the games anew."""
    monkeypatch.setattr(unfinished_games, "SECONDS", 0.0)
    started: list[InProcess] = []

    def start(**settings: Any) -> InProcess:
        started.append(InProcess(store, settings=WebSettings(trusted_proxies=1, **settings)))
        return started[-1]

    yield start
    for each in started:
        each.close()


def found(api: InProcess) -> Services:
    """What the application works with."""
    services: Services = api.app.extensions[EXTENSION]
    return services


def create(
    api: InProcess, address: str = HOME, *, key: str | None = None, seats: Any = TABLE, **more: Any
) -> Answer:
    """Ask for a game without a key."""
    headers = {"X-Forwarded-For": address} | ({"Idempotency-Key": key} if key is not None else {})
    return api.call("POST", "/v1/games", {"system": "classic", "seats": seats, **more}, headers=headers)


def told(answer: Answer) -> tuple[int, str]:
    """Status and code of a problem."""
    return answer.status, answer.json["code"]


def test_a_guest_sits_down_with_bots(api: InProcess) -> None:
    """A game as any other, whose seat has its token; it is closed when nobody has played for a day."""
    assert api.get("/v1/systems")["guests"] is True
    made = create(api).json
    assert (made["status"], made["close_after"]) == ("running", 24 * 60 * 60)
    token = made["seats"][0]["token"]
    sent = api.call("POST", f"/v1/games/{made['game']}/commands", {"type": "plant", "field": 0}, token=token)
    assert sent.status == 200
    assert create(api, close_after=600).json["close_after"] == 600
    assert "close_after" not in api.create(TABLE), "what a key sets up stays as long as it wants"


def test_a_guest_leaves_seats_open_for_others(api: InProcess) -> None:
    """Whoever has the address of the table takes one, and it is in the list unless it is to be unlisted."""
    made = create(api, seats=[{"name": "Ada"}, None, None]).json
    hidden = create(api, seats=[{"name": "Ada"}, None, None], visibility="unlisted").json
    project(api.store)
    waiting = api.get("/v1/games?status=open")["games"]
    assert [(each["game"], each["players"]) for each in waiting] == [(made["game"], ["Ada", None, None])]
    for game in (made["game"], hidden["game"]):
        assert api.call("POST", f"/v1/games/{game}/seats", {"name": "Bob"}).json["seat"] == 1


def test_a_guests_game_belongs_to_nobody(api: InProcess) -> None:
    """No key is its creator's, and none of its answers has the pseudonym of the address."""
    made = create(api, seats=TABLE, visibility="private").json
    path = f"/v1/games/{made['game']}"
    assert told(api.call("GET", path)) == (404, "game_not_found")
    scoped = found(api).keys.create("another", ("create_games",), 1)
    assert told(api.call("GET", path, token=scoped)) == (404, "game_not_found")
    seat = made["seats"][0]["token"]
    assert told(api.call("POST", f"{path}/seats/0/token", token=seat)) == (403, "host_required")
    policy = found(api).game_access.policy(made["game"])
    assert policy.creator.startswith(guests.GUEST_PREFIX)
    assert HOME not in policy.creator
    assert policy.creator.encode() not in api.call("GET", path, token=seat).body
    watcher = api.call("POST", f"{path}/spectators", {"name": "Eve"}, token=seat).json["token"]
    assert api.call("GET", path, token=watcher).status == 200


def test_the_same_request_gets_the_same_game_and_tokens(proxied: Callable[..., InProcess]) -> None:
    """Also from another address, as a phone has one after the other; who knows the key is who sent it."""
    api, key = proxied(), str(uuid.uuid4())
    first = create(api, key=key)
    again = create(api, ELSEWHERE, key=key)
    assert (first.status, again.status) == (201, 201)
    assert first.json == again.json
    assert again.headers["idempotent-replayed"] == "true"
    assert told(create(api, key=key, seats=[None, *BOTS])) == (422, "idempotency_key_reused")
    assert told(create(api, key="x" * 15)) == (400, "idempotency_key_too_short")
    assert create(api, key="x" * 16).status == 201
    by_key = api.call(
        "POST",
        "/v1/games",
        {"system": "classic", "seats": TABLE},
        token=api.key,
        headers={"Idempotency-Key": key},
    )
    assert by_key.json["game"] != first.json["game"], "a key's requests are its own"


def test_what_needs_a_key_still_does(api: InProcess) -> None:
    """A token of another kind makes no guest, and a reservation is for whoever made it."""
    seat = create(api).json["seats"][0]["token"]
    body = {"system": "classic", "seats": TABLE}
    assert told(api.call("POST", "/v1/games", body, token=seat)) == (401, "key_required")
    assert told(api.call("POST", "/v1/games", body, token="fbk_none")) == (401, "bad_token")
    assert told(api.call("POST", "/v1/reservations")) == (401, "key_required")
    reserved = api.call("POST", "/v1/reservations", token=api.key).json["reservation"]
    assert told(create(api, reservation=reserved)) == (422, "bad_reservation")
    assert told(api.call("POST", "/v1/webhooks", {"url": "https://beans.example/"})) == (401, "key_required")


def test_an_operator_may_ask_for_keys(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is said where somebody looks, and a guest gets the sentence that says where keys come from."""
    monkeypatch.setattr(found(api), "most_of_guests", GUEST_GAMES.value({GUEST_GAMES.name: "off"}))
    assert api.get("/v1/systems")["guests"] is False
    refused = create(api)
    assert told(refused) == (401, "key_required")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "Ask the operator" in refused.json["detail"]
    made = api.create([None, *BOTS])
    assert api.call("POST", f"/v1/games/{made['game']}/seats", {"name": "Ada"}).status == 201


@pytest.mark.parametrize("text", ["on", "0", "-1", "many"])
def test_what_is_no_number_of_games_is_refused(text: str) -> None:
    """The sentence says what the setting takes."""
    with pytest.raises(BadSetting, match=r"FIELDBOOK_GUEST_GAMES must be a number from 1 to 1000000, or off"):
        GUEST_GAMES.value({GUEST_GAMES.name: text})


@pytest.mark.parametrize("is_listed", [True, False])
def test_guests_of_one_address_have_so_many_unfinished_games(
    proxied: Callable[..., InProcess], monkeypatch: pytest.MonkeyPatch, *, is_listed: bool
) -> None:
    """Whether or not the list has them yet; other addresses go on, and so do keys from the same one."""
    monkeypatch.setattr(creators, "MOST_OF_ADDRESS", MOST)
    api = proxied()
    for number in range(MOST):
        assert create(api, key=f"guest-game-{number:08}").status == 201
    if is_listed:
        project(api.store)
    refused = create(api)
    assert told(refused) == (409, "too_many_games")
    assert refused.json["detail"].startswith("Guests from your address have 3 games")
    assert create(api, key="guest-game-00000000").status == 201
    assert create(api, ELSEWHERE).status == 201
    body = {"system": "classic", "seats": TABLE}
    by_key = api.call("POST", "/v1/games", body, token=api.key, headers={"X-Forwarded-For": HOME})
    assert by_key.status == 201


@pytest.mark.parametrize("is_listed", [True, False])
def test_all_guests_together_have_so_many_unfinished_games(
    proxied: Callable[..., InProcess], monkeypatch: pytest.MonkeyPatch, *, is_listed: bool
) -> None:
    """However many addresses they come from; a game that is played to its end makes room."""
    api = proxied()
    monkeypatch.setattr(found(api), "most_of_guests", MOST)
    people = [{"name": name} for name in NAMES[:3]]
    made = [create(api, f"192.0.{number}.1", seats=people).json for number in range(MOST)]
    if is_listed:
        project(api.store)
    refused = create(api, "192.0.99.1")
    assert told(refused) == (409, "too_many_games")
    assert refused.json["detail"].startswith("All guests together have 3 games")
    tokens = [seat["token"] for seat in made[0]["seats"]]
    Party(api, made[0]["game"], tokens, random.Random(1)).play()
    project(api.store)
    assert [create(api, "192.0.99.1").status for _ in range(2)] == [201, 409]
    rebuild(api.store)
    assert differences(api.store) == []
    assert create(api, "192.0.99.1").status == 409


def test_an_address_sets_up_so_many_games_in_an_hour(proxied: Callable[..., InProcess]) -> None:
    """Each has its own; what is sent again, or is refused for want of room, does not count."""
    api = proxied(quotas={**QUOTAS, "guests": {"address": Quota(MOST, 3600)}})
    first = create(api, key="the-first-of-three")
    assert first.headers["ratelimit-policy"] == '"guests";q=3;w=3600'
    assert create(api, key="the-first-of-three").status == 201
    assert [create(api).status for _ in range(MOST - 1)] == [201] * (MOST - 1)
    refused = create(api)
    assert told(refused) == (429, "quota_exceeded")
    assert (refused.json["quota"], int(refused.headers["retry-after"]) > 0) == ("guests", True)
    assert create(api, ELSEWHERE).status == 201
    assert create(api, key="the-first-of-three").status == 201


def test_a_process_remembers_so_many_addresses(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was not asked about for longest goes, and is counted in the list when it comes again."""
    monkeypatch.setattr(unfinished_games, "REMEMBERED", 2)
    counts = found(api).unfinished_games
    for network in ("a", "b", "c"):
        counts.note(network, "game")
    assert list(counts._counts) == ["b", "c"]  # noqa: SLF001 - nothing else shows it
