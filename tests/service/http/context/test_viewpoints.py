"""What a caller may see holds everywhere: in tickets, waits, cursors, exports, the list's filters and caches."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import GamePolicy
from service.access.keys import SCOPES
from service.access.store import Keys
from tests.service.in_process import NAMES, InProcess
from tests.service.in_process_stream import EventStream
from tests.service.projections.test_projector import projected
from tests.support.http_play import Party, events_of
from tests.support.servers import eventually

BOTH_WAYS = True
DELAY = 6
SAY = {"type": "say", "text": "hello"}


def begun(api: InProcess, visibility: str = "public") -> Party:
    """A game that is under way, the spectators of which are behind."""
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=DELAY, visibility=visibility)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(2))
    party.play(15)
    return party


def invited(api: InProcess, game: str) -> Any:
    """A spectator with a token."""
    return api.call("POST", f"/v1/games/{game}/spectators", {}, token=api.key).json


def ticket(api: InProcess, game: str, token: str) -> str:
    """A ticket that stands for a token."""
    found: str = api.call("POST", f"/v1/games/{game}/tickets", token=token).json["ticket"]
    return found


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_ticket_shows_no_more_than_its_token(api: InProcess, visibility: str) -> None:
    """A spectator's is as far behind, a seat's and the creator's are not; of a private game too."""
    party = begun(api, visibility)
    path = f"/v1/games/{party.game}"
    watcher = invited(api, party.game)["token"]
    for token, behind in ((watcher, DELAY), (party.tokens[1], 0), (api.key, 0)):
        version = api.get(path, api.key)["version"] - behind
        with EventStream(api, party.game, f"?ticket={ticket(api, party.game, token)}") as stream:
            view = stream.named("view")
            assert view.json["version"] == view.version == version
            party.send(0, SAY)
            assert stream.event().version == version + 1


def test_a_ticket_is_worth_nothing_once_its_token_is_revoked(api: InProcess) -> None:
    """It stands for the token, and is looked up as that is."""
    party = begun(api, "private")
    watcher = invited(api, party.game)
    text = ticket(api, party.game, watcher["token"])
    api.call("DELETE", f"/v1/games/{party.game}/spectators/{watcher['spectator']}", token=api.key)
    with EventStream(api, party.game, f"?ticket={text}") as stream:
        assert stream.status == 401


def test_a_stream_by_ticket_ends_when_its_token_is_revoked(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that was opened with the token itself."""
    monkeypatch.setattr("service.http.push.stream_limits.HEARTBEAT_SECONDS", 0.2)
    party = begun(api, "private")
    watcher = invited(api, party.game)
    with EventStream(api, party.game, f"?ticket={ticket(api, party.game, watcher['token'])}") as stream:
        assert stream.named("view").json["version"]
        api.call("DELETE", f"/v1/games/{party.game}/spectators/{watcher['spectator']}", token=api.key)
        assert stream.rest() == []


def test_a_bad_ticket_tells_nothing_about_a_private_game(api: InProcess) -> None:
    """It is refused before any game is looked at."""
    party = begun(api, "private")
    answers = [
        api.call("GET", f"/v1/games/{game}/events?ticket=fbt_0", headers={"Accept": "text/event-stream"})
        for game in (party.game, "a" * len(party.game))
    ]
    assert answers[0] == answers[1]
    assert (answers[0].status, answers[0].json["code"]) == (401, "bad_ticket")


def test_waiting_for_the_state_waits_for_what_may_be_seen(api: InProcess) -> None:
    """It comes back with the version after, not with the one that the log has reached."""
    party = begun(api)
    version = api.get(f"/v1/games/{party.game}")["version"]
    with ThreadPoolExecutor(1) as waiting:
        asked = waiting.submit(api.get, f"/v1/games/{party.game}?after={version}&wait=60")
        eventually(lambda: bool(api.get("/readyz")["streams"] == 1))
        party.send(0, SAY)
        assert asked.result()["version"] == version + 1


def test_a_cursor_tells_nothing_of_what_may_not_be_seen_yet(api: InProcess) -> None:
    """One of a version that exists and one that was never there are answered alike, up to their own words."""
    party = begun(api)
    late = events_of(api, party.game, party.tokens[0])[-1]
    version = late["entry"]["version"]
    path = f"/v1/games/{party.game}"
    for more in ("/events?after={}", "?after={}"):
        real, none = (
            api.call("GET", path + more.format(f"{version}-{digits}"))
            for digits in (late["hash"][:8], "00000000")
        )
        assert (real.status, real.body, real.headers) == (none.status, none.body, none.headers)
        assert (real.json["version"], real.json["events"]) == (version - DELAY, [])


def test_the_list_is_filtered_by_what_may_be_seen(api: InProcess) -> None:
    """A game that has just begun is open for spectators, and runs for who set it up; each finds it as they see it."""
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=1000)
    hidden = api.create([{"name": name} for name in NAMES[:3]], visibility="private")
    unlisted = api.create([{"name": name} for name in NAMES[:3]], visibility="unlisted")
    other = Keys(api.store).create("other", ("create_games",), 9)
    reader = Keys(api.store).create("reader", ("read_games",), 9)
    projected(api)

    def found(query: str, token: str | None) -> set[str]:
        return {each["game"] for each in api.get(f"/v1/games?{query}", token)["games"]}

    own = {made["game"], hidden["game"], unlisted["game"]}
    for token in (None, other):
        assert found("status=open", token) == found("", token) == {made["game"]}
        assert found("status=running", token) == set()
    assert found("status=running", api.key) == found("", api.key) == own
    assert found("status=open", api.key) == set()
    assert found("status=open", reader) == {made["game"]}
    assert found("status=running", reader) == own - {made["game"]}
    assert found("player=Ada&status=running", None) == set()


def test_pages_of_own_games_have_each_once(api: InProcess) -> None:
    """Public games lead to the list by two ways for the key that set them up."""
    games = {
        api.create([{"name": "Ada"}, None, None], visibility=visibility)["game"]
        for visibility in ("public", "private", "unlisted") * 3
    }
    own = Keys(api.store).create("own", ("create_games",), 9)
    body = {"system": "classic", "seats": [None] * 3}
    mine = {api.call("POST", "/v1/games", body, token=own).json["game"] for _ in range(3)}
    hidden = api.call("POST", "/v1/games", {**body, "visibility": "private"}, token=own).json["game"]
    projected(api)
    listed: list[str] = []
    page: Any = {"next": ""}
    while page["next"] is not None:
        page = api.get(f"/v1/games?limit=2{page['next'] and '&cursor=' + page['next']}", own)
        listed += [each["game"] for each in page["games"]]
    assert len(listed) == len(set(listed))
    assert set(listed) == {*mine, hidden, *games} - {
        game for game in games if api.get(f"/v1/games/{game}", api.key)["visibility"] != "public"
    }


def test_only_public_games_may_lie_in_shared_caches(api: InProcess) -> None:
    """Who knows the address of an unlisted game's version has it; a cache that others use is told not to keep it."""
    for visibility, kept_by in (("public", "public"), ("unlisted", "private")):
        party = begun(api, visibility)
        for more in ("?at=3", "/events?after=0&limit=2"):
            answer = api.call(
                "GET", f"/v1/games/{party.game}{more}", headers={"Accept": "application/x-ndjson, */*;q=0.5"}
            )
            assert answer.headers["cache-control"] == f"{kept_by}, max-age=31536000, immutable", more


def test_exports_are_for_auditors(api: InProcess, store: RedisEventStore) -> None:
    """With all that has finished, private games too; other keys are refused."""
    game = api.stored(policy=GamePolicy("private"))
    answers = {
        scope: api.call("GET", "/v1/exports/games", token=Keys(store).create(scope, (scope,), 9))
        for scope in SCOPES
    }
    answer = answers.pop("audit")
    assert {each.status for each in answers.values()} == {403}
    places = [json.loads(line) for line in answer.body.splitlines() if line.startswith(b'{"after"')]
    assert [each.get("game") for each in places] == [game.id, None]
