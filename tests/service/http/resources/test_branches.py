"""Branches over HTTP: playing on in a finished game, and as an arbiter in a running one; nothing is kept."""

from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from replay.branches import encode_token, find_origin, load_branch, new_branch, play_bots
from replay.branches.saved.recordings import logged_game
from service.access.rate_limits import KINDS, Quota
from service.access.store import Keys
from service.http.resources.game import branches
from service.startup.web_settings import WebSettings
from tests.service.in_process import InProcess, Stored
from tests.support.http_play import Answer

AT = 300
"""Some version in the middle of the stored game."""


def ask(api: InProcess, game: str, bearer: str | None = None, **wanted: Any) -> Answer:
    """Ask for a branch."""
    return api.call("POST", f"/v1/games/{game}/branches", wanted, token=bearer)


def branch(api: InProcess, game: str, bearer: str | None = None, **wanted: Any) -> Any:
    """The answer's JSON."""
    answer = ask(api, game, bearer, **wanted)
    assert answer.status == 200, answer.body
    return answer.json


def refused(answer: Answer, status: int, code: str) -> Any:
    """The problem, which must be this one."""
    assert (answer.status, answer.json["code"]) == (status, code), answer.body
    return answer.json


@pytest.fixture
def stored(api: InProcess) -> Stored:
    """Return a finished game of four."""
    return api.stored()


def test_anybody_plays_on_in_a_finished_game(api: InProcess, stored: Stored) -> None:
    """The table with all cards, what can be played, and one line that holds the branch."""
    begun = branch(api, stored.id, version=AT)

    assert (begun["viewer"], begun["here"], begun["tree"], begun["events"]) == ("all", 0, [], [])
    assert begun["origin"]["version"] == begun["version"] >= AT
    assert begun["origin"]["hash"] == stored.recorded.log[begun["version"] - 1].hash
    assert begun["table"]["draw_pile"]["cards"]
    chosen = next(each for each in begun["legal"] if each.get("number") == 1)

    played = branch(
        api, stored.id, token=begun["token"], play=[{"seat": chosen["seat"], "command": chosen["command"]}]
    )

    assert played["here"] == 1
    assert played["tree"][0]["command"] == chosen["command"]
    assert played["events"][0]["actor"] == f"seat:{chosen['seat']}"
    assert played["events"][0]["text"].endswith(".")
    assert {each["cards"] for each in played["events"]} <= {"recorded", "fresh", "none"}
    assert branch(api, stored.id, token=played["token"], undo=1)["tree"] == []
    back = branch(api, stored.id, token=played["token"], go=0)
    assert (back["here"], back["version"], len(back["tree"])) == (0, begun["version"], 1)
    assert branch(api, stored.id, token=played["token"], after=played["version"])["events"] == []


def test_the_token_is_that_of_the_command_line(api: InProcess, stored: Stored) -> None:
    """What was played over HTTP goes on anywhere, and the other way round."""
    found = branch(api, stored.id, version=AT, bots={"seats": ["random"], "commands": 5})
    table = stored.recorded.table
    origin = find_origin(table.rules, logged_game(stored.recorded.log), AT)

    assert found["bots"] == {"commands": 5, "stopped": "commands"}
    here = load_branch(found["token"], origin)
    assert here == play_bots(new_branch(origin), ["random"], most=5).branch
    assert branch(api, stored.id, token=encode_token(here))["tree"] == found["tree"]


def test_the_answer_says_where_branch_and_game_part(api: InProcess, stored: Stored) -> None:
    """With what happened in the game and what here."""
    begun = branch(api, stored.id, version=AT)
    recorded = stored.recorded.log[begun["version"]]
    other = next(
        each for each in begun["legal"] if "command" in each and f"seat:{each['seat']}" != recorded.actor
    )

    parted = branch(api, stored.id, version=AT, play=[{"seat": other["seat"], "command": other["command"]}])

    assert parted["parted"]["version"] == begun["version"] + 1
    assert parted["parted"]["game"]["actor"] == recorded.actor
    assert parted["parted"]["branch"] == parted["events"][0]


def test_an_illegal_move_is_refused_like_any_command(api: InProcess, stored: Stored) -> None:
    """The rule's code, the booklet's section, the legal commands; and the first of several that is refused."""
    begun = branch(api, stored.id, version=AT)
    active = begun["table"]["active"]
    problem = refused(
        ask(
            api,
            stored.id,
            version=AT,
            play=[
                {"seat": active, "command": {"type": "say", "text": "Well?"}},
                {"seat": active, "command": {"type": "harvest", "field": 9}},
            ],
        ),
        422,
        "no_such_field",
    )

    assert problem["place"] == 1
    assert problem["section"]
    assert problem["legal_commands"]
    assert problem["version"] == begun["version"] + 1


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({}, 422, "schema_violation"),
        ({"version": 5, "token": "fbb1.xxx"}, 422, "schema_violation"),
        ({"version": 0}, 422, "schema_violation"),
        ({"version": 10**6}, 404, "no_such_version"),
        ({"version": AT, "seed": "two words"}, 422, "schema_violation"),
        ({"version": AT, "play": [{"seat": 0, "command": {"type": "shuffle"}}]}, 422, "schema_violation"),
        ({"version": AT, "play": [{"seat": 0, "command": {"type": "draw"}}] * 21}, 422, "schema_violation"),
        ({"version": AT, "go": 1}, 422, "no_such_node"),
        ({"version": AT, "undo": 1}, 422, "no_such_node"),
        ({"version": AT, "bots": {"seats": ["clever"]}}, 422, "schema_violation"),
        ({"version": AT, "bots": {"seats": ["greedy", "greedy"]}}, 422, "bad_bots"),
        ({"token": "fbb1.xxx"}, 422, "bad_branch_token"),
        ({"token": "fbb1." + "A" * 50_000}, 422, "schema_violation"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused(
    api: InProcess, stored: Stored, wanted: dict[str, Any], status: int, code: str
) -> None:
    """With a stable code."""
    refused(ask(api, stored.id, **wanted), status, code)


def test_a_token_of_another_game_is_refused(api: InProcess, stored: Stored) -> None:
    """It is bound to its game and version."""
    token = branch(api, stored.id, version=AT)["token"]
    other = api.stored(2)

    refused(ask(api, other.id, token=token), 422, "branch_of_another_game")


def test_a_running_game_is_branched_by_arbiters_alone(api: InProcess, store: RedisEventStore) -> None:
    """Its seats would learn what is to come; and the secret stays closed."""
    running = api.stored(3, stop_at=AT)
    arbiter = Keys(store).create("arbiter", ("arbitrate",), 1)

    for token in (None, running.tokens[0]):
        refused(ask(api, running.id, token, version=20), 403, "view_forbidden")
    found = branch(api, running.id, arbiter, version=20, bots={"seats": ["random"], "until": "end"})

    assert found["bots"]["stopped"] in {"end", "time"}
    assert found["table"]["secret"] is None
    assert running.recorded.table.secret not in str(found)
    opened = api.create([{"name": "Ada"}, None, None])
    refused(ask(api, opened["game"], arbiter, version=1), 422, "game_not_begun")


def test_nothing_is_kept_and_the_game_is_not_touched(api: InProcess, stored: Stored) -> None:
    """The store has what it had."""
    before = api.store.head(stored.id), api.store.connection.command("DBSIZE")

    branch(api, stored.id, version=AT, bots={"seats": ["random"], "commands": 5})

    assert (api.store.head(stored.id), api.store.connection.command("DBSIZE")) == before


def test_bots_stop_when_their_time_is_over(
    api: InProcess, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the token goes on; a branch that takes too long to play through is refused."""
    token = branch(api, stored.id, version=AT, bots={"seats": ["random"], "commands": 5})["token"]
    monkeypatch.setattr(branches, "SECONDS", -1.0)

    late = branch(api, stored.id, version=AT, bots={"seats": ["greedy"]})

    assert late["bots"] == {"commands": 0, "stopped": "time"}
    refused(ask(api, stored.id, token=token), 422, "branch_too_long")


def test_branches_are_limited(store: RedisEventStore) -> None:
    """By a quota of their own, and by how many are being played at once."""
    quota = dict.fromkeys(KINDS, Quota(2, 3600))
    limited = InProcess(
        store, settings=WebSettings(quotas={"branches": quota, "reads": quota, "games": quota})
    )
    try:
        game = limited.stored().id
        answers = [ask(limited, game, version=AT) for _ in range(3)]
        assert [each.status for each in answers] == [200, 200, 429]
        assert answers[2].json["quota"] == "branches"
    finally:
        limited.close()


def test_only_so_many_are_played_at_once(
    api: InProcess, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes then is asked to come again."""
    monkeypatch.setattr(branches, "AT_ONCE", 0)

    answer = ask(api, stored.id, version=AT)

    refused(answer, 503, "too_many_branches")
    assert answer.headers["retry-after"]


def test_a_long_game_is_branched_elsewhere(
    api: InProcess, stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its log is read, which the limit of time would not see; the answer says with what."""
    version = stored.recorded.table.version
    branch(api, stored.id, version=AT)
    logs: list[int | None] = []
    read = RedisEventStore.read

    def reading(store: RedisEventStore, game: str, after: int = 0, limit: int | None = None) -> Any:
        logs.append(limit)
        return read(store, game, after, limit)

    monkeypatch.setattr(RedisEventStore, "read", reading)
    branch(api, stored.id, version=AT)
    assert logs == [version]
    monkeypatch.setattr(branches, "MOST_ENTRIES", version - 1)
    problem = refused(ask(api, stored.id, version=AT), 422, "game_too_long")
    assert "fieldbook replay branch" in problem["detail"]
    assert logs == [version]


def test_one_caller_does_not_take_all_places_for_branches(api: InProcess, stored: Stored) -> None:
    """Not with several tokens either: they come from one address. Whoever asks from elsewhere plays meanwhile."""
    path, wanted = f"/v1/games/{stored.id}/branches", {"version": AT}
    own = {"all": branches.AT_ONCE, "address/127.0.0.1": branches.OF_ONE}
    assert branches._places.take(own) is None  # noqa: SLF001 - as while the first one is played
    try:
        for token in (None, stored.tokens[0], api.key):
            refused(ask(api, stored.id, token, version=AT), 503, "too_many_branches")
        elsewhere = {"REMOTE_ADDR": "192.0.2.1"}
        answer = api.app.test_client().post(path, json=wanted, environ_base=elsewhere)
        assert answer.status_code == 200, answer.text
    finally:
        branches._places.give_back(own)  # noqa: SLF001
    branch(api, stored.id, version=AT)
