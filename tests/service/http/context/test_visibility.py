"""Who may watch a game: public, unlisted and private ones, spectators' tokens, and what the log tells of them.

tests/service/roles has every role at every endpoint; here is what goes beyond one request.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from events.transparency.checkpoint import parse_checkpoint
from events.transparency.merkle_tree import leaf_hash, node_hash
from events.transparency.signed_note import parse_note
from replay.verification.verify import verify_lines
from service.access import game_tokens
from service.access.game_access import GamePolicy
from service.access.game_tokens import MOST_OF_SEAT, MOST_SPECTATORS, GameTokens, TooManySpectators
from service.access.keys import OPERATOR
from service.access.store import Keys
from tests.service.in_process import NEARLY_OVER, InProcess
from tests.service.in_process_stream import EventStream
from tests.service.projections.test_projector import listed, projected
from tests.support.http_play import Party
from tests.support.servers import eventually

BOTH_WAYS = True
OPEN = [{"name": "Ada"}, None, None]
KEY = {"Idempotency-Key": "b0a1c2d3-e4f5-4a6b"}


@pytest.fixture
def operator(store: RedisEventStore) -> str:
    """Return the token of an operator's key."""
    return Keys(store).create("operator", (), 1, OPERATOR)


@pytest.fixture
def stranger(store: RedisEventStore) -> str:
    """Return the token of a key that has nothing to do with any game."""
    return Keys(store).create("stranger", ("create_games",), 2)


def private(api: InProcess, seats: Any = OPEN, **more: Any) -> Any:
    """Set up a private game."""
    return api.create(seats, visibility="private", **more)


def invite(api: InProcess, game: str, token: str, **headers: str) -> Any:
    """Ask for a spectator's token."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = api.call("POST", f"/v1/games/{game}/spectators", {"name": "Eve"}, token=token, headers=named)
    assert answer.status == 201, answer.body
    return answer.json


def seat_token_of(made: Any, seat: int = 0) -> str:
    """The token of a seat of a new game."""
    return str(made["seats"][seat]["token"])


def test_games_are_public_unless_something_else_is_asked_for(api: InProcess) -> None:
    """The answer, the state and the list say what was decided, and it takes part in the request's fingerprint."""
    made = api.create(OPEN, headers=KEY)
    assert (made["visibility"], made["spectator_delay"]) == ("public", 0)
    body = {"system": "classic", "seats": OPEN, "visibility": "private"}
    other = api.call("POST", "/v1/games", body, token=api.key, headers=KEY)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    secret = private(api, spectator_delay=7)
    state = api.get(f"/v1/games/{secret['game']}", api.key)
    assert (state["visibility"], state["spectator_delay"]) == ("private", 7)


@pytest.mark.parametrize(
    "more",
    [
        {"visibility": "secret"},
        {"visibility": None},
        {"spectator_delay": -1},
        {"spectator_delay": 1001},
        {"spectator_delay": True},
        {"spectator_delay": "3"},
    ],
)
def test_what_nobody_can_decide_is_refused(api: InProcess, more: Any) -> None:
    """Only the three kinds, and at most a thousand versions."""
    answer = api.call("POST", "/v1/games", {"system": "classic", "seats": OPEN, **more}, token=api.key)
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")


def test_a_private_game_is_watched_and_joined_with_a_spectators_token(api: InProcess) -> None:
    """It opens the game for whoever was given it, and says what it is."""
    made = private(api)
    path = f"/v1/games/{made['game']}"
    given = invite(api, made["game"], seat_token_of(made))
    assert api.call("GET", path).status == 404
    assert api.get(path, given["token"])["viewer"] == "public"
    me = api.get(f"/v1/keys/self?game={made['game']}", given["token"])
    assert me == {"kind": "spectator", "game": made["game"], "spectator": given["spectator"]}
    assert api.call("POST", f"{path}/seats", {"name": "Bob"}).status == 404
    seat = api.call("POST", f"{path}/seats", {"name": "Bob"}, token=given["token"])
    assert seat.json["seat"] == 1
    assert api.get(f"{path}/commands", seat.json["token"])["seat"] == 1


def test_spectators_are_listed_and_dismissed_by_those_who_invited_them(api: InProcess, stranger: str) -> None:
    """A seat dismisses its own spectators, the creator all; their tokens are refused at once, in every process."""
    made = private(api, [{"name": "Ada"}, {"name": "Bob"}, None])
    path = f"/v1/games/{made['game']}"
    ada, bob = seat_token_of(made), seat_token_of(made, 1)
    mine, theirs = invite(api, made["game"], ada), invite(api, made["game"], api.key)
    shown = api.get(f"{path}/spectators", bob)["spectators"]
    givers = {mine["spectator"]: "seat:0", theirs["spectator"]: api.get("/v1/keys/self", api.key)["id"]}
    assert {each["spectator"]: each["given_by"] for each in shown} == givers
    # The first one first; both may have been given out in the same millisecond.
    assert shown == sorted(shown, key=lambda each: (each["created"], each["spectator"]))
    assert all("token" not in each for each in shown)
    for refused in (mine, theirs):
        answer = api.call("DELETE", f"{path}/spectators/{refused['spectator']}", token=bob)
        assert (answer.status, answer.json["code"]) == (403, "not_your_spectator")
    elsewhere = InProcess(api.store)
    assert elsewhere.call("GET", path, token=mine["token"]).status == 200
    for dismissed, by in ((mine, ada), (theirs, api.key), (theirs, api.key)):
        assert api.call("DELETE", f"{path}/spectators/{dismissed['spectator']}", token=by).status == 200
        assert elsewhere.call("GET", path, token=dismissed["token"]).status == 404
    assert api.get(f"{path}/spectators", ada)["spectators"] == []


def test_the_same_request_again_gets_the_same_spectators_token(api: InProcess) -> None:
    """With an Idempotency-Key; another name is another request."""
    made = private(api)
    first, again = (invite(api, made["game"], api.key, Idempotency_Key="one") for _ in range(2))
    assert again == first
    path = f"/v1/games/{made['game']}/spectators"
    other = api.call("POST", path, {}, token=api.key, headers={"Idempotency-Key": "one"})
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")


def test_there_are_only_so_many_spectators_tokens(api: InProcess) -> None:
    """A seat cannot fill the store with them; one that is revoked makes place."""
    made = private(api)
    path = f"/v1/games/{made['game']}/spectators"
    given = [api.call("POST", path, {}, token=api.key).json for _ in range(MOST_SPECTATORS)]
    full = api.call("POST", path, {}, token=api.key)
    assert (full.status, full.json["code"]) == (422, "too_many_spectators")
    api.call("DELETE", f"{path}/{given[0]['spectator']}", token=api.key)
    assert api.call("POST", path, {}, token=api.key).status == 201


def test_one_seat_gives_only_its_share_of_spectators_tokens(api: InProcess) -> None:
    """Also where it asks for many at once; the other seats have theirs, and who set the game up all that is left."""
    made = private(api, [{"name": "Ada"}, {"name": "Bob"}, None])
    path = f"/v1/games/{made['game']}/spectators"
    tokens = GameTokens(api.store)

    def give(number: int) -> bool:
        try:
            tokens.invite(made["game"], "", giver="seat:0", at=1, request=str(number))
        except TooManySpectators:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(give, range(3 * MOST_OF_SEAT))) == MOST_OF_SEAT
    full = api.call("POST", path, {"name": '"given_by":"seat:1"'}, token=seat_token_of(made))
    assert (full.status, full.json["code"]) == (422, "too_many_spectators")
    for token in (seat_token_of(made, 1), api.key):
        assert api.call("POST", path, {"name": '"given_by":"seat:0"'}, token=token).status == 201


def test_a_lost_token_is_replaced_by_the_host(api: InProcess, operator: str) -> None:
    """The creator for the seats that it filled, an operator for all; the old token is refused, in every process."""
    made = api.create([{"name": "Ada"}, None, {"name": "Rob", "kind": "bot", "bot": "random"}])
    path = f"/v1/games/{made['game']}"
    old = seat_token_of(made)
    taken = api.call("POST", f"{path}/seats", {"name": "Bob"}).json["token"]
    elsewhere = InProcess(api.store)
    assert elsewhere.get(f"{path}/commands", old)["seat"] == 0
    first, again = (
        api.call("POST", f"{path}/seats/0/token", token=api.key, headers=KEY).json for _ in range(2)
    )
    assert first == again
    assert elsewhere.get(f"{path}/commands", first["token"])["seat"] == 0
    answer = elsewhere.call("GET", f"{path}/commands", token=old)
    assert (answer.status, answer.json["code"]) == (403, "not_your_game")
    refused = api.call("POST", f"{path}/seats/1/token", token=api.key)
    assert (refused.status, refused.json["code"]) == (403, "operator_required")
    newer = api.call("POST", f"{path}/seats/1/token", token=operator).json["token"]
    assert api.call("GET", f"{path}/commands", token=taken).status == 403
    assert api.get(f"{path}/commands", newer)["seat"] == 1
    for seat, status, code in (
        ("2", 422, "no_person_there"),
        ("3", 404, "no_such_seat"),
        ("x", 404, "no_such_seat"),
    ):
        wrong = api.call("POST", f"{path}/seats/{seat}/token", token=operator)
        assert (wrong.status, wrong.json["code"]) == (status, code)


def test_tokens_are_not_replaced_for_ever(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was given out is remembered as useless, and that takes room."""
    monkeypatch.setattr(game_tokens, "MOST_REPLACED", 2)
    path = f"/v1/games/{api.people().game}/seats/0/token"
    assert [api.call("POST", path, token=api.key).status for _ in range(2)] == [201, 201]
    refused = api.call("POST", path, token=api.key)
    assert (refused.status, refused.json["code"]) == (422, "too_many_replacements")


def test_a_late_repetition_does_not_bring_an_old_token_back(api: InProcess) -> None:
    """The first answer again, and nothing is changed by it."""
    made = api.create(OPEN)
    path = f"/v1/games/{made['game']}"
    first = api.call("POST", f"{path}/seats/0/token", token=api.key, headers=KEY).json["token"]
    second = api.call("POST", f"{path}/seats/0/token", token=api.key).json["token"]
    assert api.call("POST", f"{path}/seats/0/token", token=api.key, headers=KEY).json["token"] == first
    assert api.call("GET", f"{path}/commands", token=first).status == 403
    assert api.get(f"{path}/commands", second)["seat"] == 0


def test_the_list_survives_a_rebuild_with_what_strangers_must_not_see(api: InProcess) -> None:
    """Visibility is read from the game's private fields, so a new projection knows it too."""
    public, unlisted = api.create(OPEN)["game"], api.create(OPEN, visibility="unlisted")["game"]
    hidden = private(api)["game"]
    projected(api)
    assert listed(api) == [public]
    assert {each["game"] for each in api.call("GET", "/v1/games", token=api.key).json["games"]} == {
        public,
        unlisted,
        hidden,
    }
    assert api.call("GET", f"/v1/games/{unlisted}").status == 200
    assert api.call("GET", f"/v1/games/{hidden}").status == 404


def test_a_private_game_is_played_to_its_end_and_verified(api: InProcess, stranger: str) -> None:
    """Its seats play as in any other; afterwards it is still private, and its record verifies."""
    stored = api.stored(stop_at=NEARLY_OVER, policy=GamePolicy(visibility="private"))
    party = Party(api, stored.id, stored.tokens, random.Random(3))
    assert party.play()
    path = f"/v1/games/{party.game}"
    for token in (None, stranger):
        assert api.call("GET", f"{path}/record", token=token).status == 404
    record = api.call("GET", f"{path}/record", token=party.tokens[0])
    assert verify_lines(record.body.splitlines(keepends=True)).ok
    assert api.get(f"{path}?as=all", party.tokens[1])["status"] == "finished"


def test_the_transparency_log_does_not_name_a_private_game(api: InProcess) -> None:
    """It holds the game's head, and everybody computes the root from the hash of its leaf."""
    known, hidden = api.stored(), api.stored(seed=2, policy=GamePolicy(visibility="private"))
    api.call("GET", f"/v1/games/{known.id}/proof")
    assert api.call("GET", f"/v1/games/{hidden.id}/proof", token=hidden.tokens[0]).status == 200
    page = api.call("GET", "/v1/log/entries")
    assert known.id.encode() in page.body
    assert hidden.id.encode() not in page.body
    assert hidden.recorded.head.hash.encode() not in page.body
    first, second = page.json["entries"]
    assert second.startswith("fieldbook hidden leaf v1\nhash ")
    root = node_hash(leaf_hash(first.encode()), bytes.fromhex(second.split()[-1]))
    assert parse_checkpoint(parse_note(api.get("/v1/log")["checkpoint"]).text).root == root


def test_a_stream_ends_when_its_token_is_revoked(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the latest with the next heartbeat after it."""
    monkeypatch.setattr("service.http.push.stream_limits.HEARTBEAT_SECONDS", 0.2)
    made = private(api)
    given = invite(api, made["game"], api.key)
    with EventStream(api, made["game"], "?after=0", token=given["token"]) as stream:
        assert [stream.event().event for _ in range(2)] == ["game_created", "seat_taken"]
        api.call("DELETE", f"/v1/games/{made['game']}/spectators/{given['spectator']}", token=api.key)
        assert stream.rest() == []


def test_a_long_poll_answers_nothing_to_a_token_that_was_revoked(api: InProcess) -> None:
    """It was good when the wait began; what happened meanwhile is not for it any more."""
    made = private(api)
    given = invite(api, made["game"], api.key)
    path = f"/v1/games/{made['game']}"
    with ThreadPoolExecutor(1) as waiting:
        asked = waiting.submit(api.call, "GET", f"{path}/events?after=2&wait=60", token=given["token"])
        eventually(lambda: bool(api.get("/readyz")["streams"] == 1))
        api.call("DELETE", f"{path}/spectators/{given['spectator']}", token=api.key)
        api.call("POST", f"{path}/seats", {"name": "Bob"}, token=api.key)
        answer = asked.result()
    assert (answer.status, answer.json["code"]) == (404, "game_not_found")
