"""Rate limits over HTTP: the headers of the draft, 429 with what to do, and who is counted as whom."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from events.store.event_store import EventStore
from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.access.rate_limits import BYTES_OF_ONE, QUOTAS, SPECTATORS_TOGETHER, Kind, Quota
from service.access.store import RequestCounts
from service.http.context import limits
from service.http.context.counting import Limits
from service.http.context.limits import EXTENSION
from service.http.context.services import EXTENSION as SERVICES
from service.http.push import stream_limits
from service.http.push.stream_limits import Shares
from service.startup.web_settings import WebSettings
from tests.service.conftest import SHORT_WAY, WAYS
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party

Start = Callable[..., InProcess]


@pytest.fixture
def limited(store: RedisEventStore) -> Iterator[Start]:
    """Make an application with other quotas than the usual ones, named by class."""
    started: list[InProcess] = []

    def start(**quotas: Mapping[Kind, Quota]) -> InProcess:
        settings = WebSettings(quotas={**QUOTAS, **quotas}, trusted_proxies=1)
        started.append(InProcess(store, settings=settings))
        return started[-1]

    yield start
    for each in started:
        each.close()


def each_kind(most: int, seconds: int = 60, **other: Quota) -> dict[Kind, Quota]:
    """The same quota for everybody, but for those named."""
    usual = Quota(most, seconds)
    return {"address": usual, "seat": usual, "key": usual, **other}  # type: ignore[dict-item]


def read(api: InProcess, token: str | None = None, address: str = "192.0.2.1") -> Answer:
    """Read the list of games from an address."""
    return api.call("GET", "/v1/games", token=token, headers={"X-Forwarded-For": address})


def test_every_limited_answer_says_what_is_left(limited: Start) -> None:
    """The two header fields of draft-ietf-httpapi-ratelimit-headers-11."""
    api = limited(reads=each_kind(40))
    first, second = read(api), read(api)
    assert first.headers["ratelimit-policy"] == '"reads";q=40;w=60'
    assert first.headers["ratelimit"].startswith('"reads";r=39;t=')
    assert second.headers["ratelimit"].startswith('"reads";r=38;t=')
    assert "retry-after" not in first.headers
    for path in ("/healthz", "/readyz", "/metrics", "/", "/openapi.yaml", "/openapi.json"):
        assert "ratelimit" not in api.call("GET", path).headers


def test_a_used_up_quota_is_a_problem_with_what_to_do(limited: Start) -> None:
    """429 names the quota and says when it is renewed; other classes of requests go on."""
    api = limited(reads=each_kind(2))
    read(api), read(api)
    answer = read(api)
    assert answer.status == 429
    assert answer.json["code"] == "quota_exceeded"
    assert answer.json["quota"] == "reads"
    assert answer.json["violated-policies"] == ["reads"]
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert answer.headers["ratelimit"].startswith('"reads";r=0;t=')
    assert api.create([{"name": "Ann"}, None, None])["version"] > 0


def test_what_is_not_acceptable_counts_as_well(limited: Start) -> None:
    """It takes from its quota and says what is left, as every other refusal; the metrics count it by its code."""
    api = limited(reads=each_kind(2), streams=each_kind(3))
    unacceptable = {"Accept": "image/png"}
    game = f"/v1/games/{api.people().game}"
    left = [api.call("GET", "/v1/games", headers=unacceptable) for _ in range(3)]
    assert [each.json["code"] for each in left] == ["not_acceptable", "not_acceptable", "quota_exceeded"]
    assert [each.headers["ratelimit"].split(";")[1] for each in left] == ["r=1", "r=0", "r=0"]
    for path in (f"{game}?wait=1", f"{game}/events?wait=1", f"{game}/commands?wait=1"):
        assert api.call("GET", path, headers=unacceptable).status == 406
    assert 'fieldbook_refusals_total{code="not_acceptable"} 5.0' in api.call("GET", "/metrics").body.decode()
    assert "fieldbook_streams_open 0.0" in api.call("GET", "/metrics").body.decode()


def test_only_what_can_wait_takes_a_place_among_the_streams(limited: Start) -> None:
    """A parameter that an address does not know makes no stream of it."""
    api = limited(streams=each_kind(2))
    answer = api.call("GET", "/v1/systems?wait=1")
    assert answer.status == 422
    assert answer.headers["ratelimit-policy"].startswith('"reads"')


def test_addresses_and_tokens_are_counted_apart(limited: Start) -> None:
    """Behind one address each seat and key has its own quota once it has proved to be one."""
    api = limited(reads=each_kind(1_000))
    party = api.people()
    path = f"/v1/games/{party.game}"
    for token in party.tokens:
        api.call("GET", path, token=token)
    left = [api.call("GET", path, token=token).headers["ratelimit"] for token in party.tokens]
    assert [each.split(";")[1] for each in left] == ["r=999"] * 3


def test_tokens_that_are_tried_out_count_for_their_address(limited: Start) -> None:
    """However many different ones somebody makes up."""
    api = limited(reads=each_kind(5))
    game = api.people().game
    statuses = [api.call("GET", f"/v1/games/{game}", token=f"fbk_{each:040x}").status for each in range(8)]
    assert statuses == [401] * 5 + [429] * 3


def test_an_address_is_what_the_trusted_proxy_says(limited: Start) -> None:
    """The last entry is the proxy's; what stands before it is the client's own. IPv6 counts by customer."""
    api = limited(reads=each_kind(1))
    assert read(api, address="192.0.2.1").status == 200
    assert read(api, address="192.0.2.2").status == 200
    assert read(api, address="203.0.113.9, 192.0.2.2").status == 429
    assert read(api, address="2001:db8::1").status == 200
    assert read(api, address="2001:db8::ffff").status == 429
    assert read(api, address="2001:db8:0:1::1").status == 200
    assert read(api, address="not an address").status == 200


def test_play_goes_on_without_counts_and_keys_do_not(limited: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the counts cannot be reached: open for play and reading, closed for keys, and the metrics say so."""
    api = limited()
    party = api.people()
    limits: Limits = api.app.extensions[EXTENSION]
    assert limits.rates is not None
    limits.rates.counts = away(api.app.extensions[SERVICES].store)
    limits.rates._leases.clear()  # noqa: SLF001 - as after a restart
    answer = party.send(0, {"type": "plant", "field": 0})
    assert answer.status == 200
    assert "ratelimit" not in answer.headers
    closed = api.call("POST", "/v1/keys", {}, token=api.key)
    assert (closed.status, closed.json["code"]) == (503, "limits_unavailable")
    assert int(closed.headers["retry-after"]) > 0
    assert "fieldbook_rate_limits_away_total 2.0" in api.call("GET", "/metrics").body.decode()


def away(store: EventStore) -> RequestCounts:
    """Counts on a server that is away."""
    counts = RequestCounts(store)
    counts._command = RedisConnection("redis://127.0.0.1:1").command  # noqa: SLF001 - as where it has gone
    return counts


def test_one_caller_does_not_take_all_places_for_streams(
    limited: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An eighth of a process's places at most; a stream that is closed gives its place back."""
    monkeypatch.setattr(stream_limits, "MOST_STREAMS", 240)
    api = limited()
    game = api.people().game
    client = api.app.test_client()
    wanted = {"Accept": "text/event-stream", "X-Forwarded-For": "192.0.2.1"}
    opened = [client.get(f"/v1/games/{game}/events", headers=wanted) for _ in range(30)]
    assert {each.status_code for each in opened} == {200}
    refused = client.get(f"/v1/games/{game}/events", headers=wanted)
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_streams")  # type: ignore[index]
    assert (
        client.get(f"/v1/games/{game}/events", headers={**wanted, "X-Forwarded-For": "192.0.2.2"}).status_code
        == 200
    )
    opened[0].close()
    assert client.get(f"/v1/games/{game}/events", headers=wanted).status_code == 200
    for each in opened:
        each.close()
    assert api.app.extensions[SERVICES].streams.open <= 2


def test_without_limits_nothing_is_counted(store: RedisEventStore) -> None:
    """FIELDBOOK_LIMITS=off."""
    api = InProcess(store, settings=WebSettings(quotas=None))
    try:
        assert "ratelimit" not in read(api).headers
        assert store.connection.command("KEYS", "limits:*") == []
    finally:
        api.close()


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_tokens_that_a_seat_gives_out_do_not_take_all_places(
    limited: Start, monkeypatch: pytest.MonkeyPatch, accept: str
) -> None:
    """A game has a share, and an address: with many tokens one takes no more of either."""
    api = limited()
    monkeypatch.setattr(limits, "WAITS", Shares(2, 3, 4))
    monkeypatch.setattr(limits, "places_of", lambda: Shares(2, 3, 4))
    games = [api.people() for _ in range(3)]
    places: list[tuple[str, str, str]] = [
        *((games[0].game, token, "192.0.2.1") for token in games[0].tokens),
        *((games[1].game, token, "192.0.2.1") for token in games[1].tokens),
        (games[2].game, games[2].tokens[0], "192.0.2.2"),
    ]
    counted = api.app.extensions[EXTENSION]
    told = []
    for game, token, address in (*places[:1], *places):
        address_and_token = {"X-Forwarded-For": address, "Authorization": f"Bearer {token}", "Accept": accept}
        api.call("GET", f"/v1/games/{game}", token=token)
        with api.app.test_request_context(
            f"/v1/games/{game}/events?wait=20",
            headers=address_and_token,
            environ_base={"REMOTE_ADDR": address},
        ):
            told.append(counted.open_stream(limits._shares("/".join(limits.subject()))))  # noqa: SLF001
    kinds = [None if each is None else each.split("/")[1] for each in told]
    assert kinds == [None, None, None, "game", None, "address", "address", None]


@pytest.mark.parametrize("way", WAYS)
def test_each_command_of_an_array_counts_and_so_does_every_4_kib_of_a_body(limited: Start, way: str) -> None:
    """What may be written in a minute is bounded, however it is sent; what does not fit in is not done."""
    api = limited(commands=each_kind(12, 3600))
    api.goes_short = way == SHORT_WAY
    party = api.people()
    path, say = f"/v1/games/{party.game}/commands", {"type": "say", "text": "x" * 400}

    def send(count: int) -> Answer:
        return api.call("POST", path, [say] * count, token=party.tokens[0])

    api.call("GET", f"/v1/games/{party.game}", token=party.tokens[0])
    first = send(4)
    assert (first.json["applied"], first.headers["ratelimit"].split(";")[1]) == (4, "r=8")
    refused = send(12)
    assert (refused.status, refused.json["code"]) == (429, "quota_exceeded")
    assert api.get(f"/v1/games/{party.game}")["version"] == first.json["version"]
    left = [
        send_padded(api, party, length).headers["ratelimit"].split(";")[1] for length in (-1, 0, BYTES_OF_ONE)
    ]
    # What was refused has counted as a request and for its body.
    assert left == ["r=5", "r=3", "r=0"]
    full = send_padded(api, party, 2 * BYTES_OF_ONE)
    assert (full.status, full.json["code"]) == (429, "quota_exceeded")


def send_padded(api: InProcess, party: Party, more: int) -> Answer:
    """Send a command in a body of 4 KiB and so many bytes more, most of them spaces."""
    body = b'{"type": "say", "text": "x"'.ljust(BYTES_OF_ONE + more - 1) + b"}"
    return api.call("POST", f"/v1/games/{party.game}/commands", raw=body, token=party.tokens[0])


def test_spectators_of_a_game_are_bounded_together(limited: Start) -> None:
    """However many tokens a seat mints, revokes and mints anew; the seat itself and other games go on."""
    api = limited(reads=each_kind(4))
    party, other = api.people(), api.people()
    path = f"/v1/games/{party.game}"

    def mint(name: str) -> Answer:
        return api.call("POST", f"{path}/spectators", {"name": name}, token=party.tokens[0])

    def watch(token: str) -> Answer:
        elsewhere = {"X-Forwarded-For": f"192.0.2.{len(told)}"}
        api.call("GET", path, token=token, headers=elsewhere)  # counted by the address, and proved
        return api.call("GET", path, token=token, headers=elsewhere)

    told: list[Answer] = []
    for each in range(4 * SPECTATORS_TOGETHER + 1):
        minted = mint(f"watcher {each}").json
        told.append(watch(minted["token"]))
        api.call("DELETE", f"{path}/spectators/{minted['spectator']}", token=party.tokens[0])
    assert [each.status for each in told] == [200] * 4 * SPECTATORS_TOGETHER + [429]
    assert told[-1].json["code"] == "quota_exceeded"
    assert "all spectators of this game together" in told[-1].json["detail"]
    assert told[0].headers["ratelimit-policy"] == '"reads";q=4;w=60'
    assert told[-1].headers["ratelimit-policy"] == f'"reads";q={4 * SPECTATORS_TOGETHER};w=60'
    # Also where they ask for something else than their game.
    listed = api.call("GET", "/v1/games", token=mint("one more").json["token"])
    assert listed.status == 200
    assert api.call("GET", path, token=party.tokens[0]).status == 200
    watcher = api.call("POST", f"/v1/games/{other.game}/spectators", {"name": "x"}, token=other.tokens[0])
    assert api.call("GET", f"/v1/games/{other.game}", token=watcher.json["token"]).status == 200


def test_each_bot_of_a_new_game_counts_as_a_game_more(limited: Start) -> None:
    """The service plays their seats itself."""
    api = limited(games=each_kind(8))
    api.call("GET", "/v1/games", token=api.key)
    seats = [
        {"name": "Ada"},
        *({"name": f"Rob {number}", "kind": "bot", "bot": "greedy"} for number in (1, 2)),
    ]
    first, second, third = (
        api.call("POST", "/v1/games", {"system": "classic", "seats": seats}, token=api.key) for _ in range(3)
    )
    assert first.headers["ratelimit"].startswith('"games";r=5;t=')
    assert second.headers["ratelimit"].startswith('"games";r=2;t=')
    assert (third.status, third.json["code"]) == (429, "quota_exceeded")
