"""A seat's token that was replaced is worth nothing from that moment on, whatever a process remembers of it.

A process decides a command for the seat that a token was last known to be, and lets the append prove it.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access import game_tokens
from service.access.game_tokens import GameTokens, TooManyReplacements
from service.access.tokens import REPLACED, is_token_field
from tests.service.in_process import InProcess
from tests.support.http_play import Party

BOTH_WAYS = True
ROUNDS = 40
"""How often two replace tokens at the same time."""
SAY = {"type": "say", "text": "hello"}
ONCE = {"Idempotency-Key": "once"}


@pytest.fixture
def party(api: InProcess, store: RedisEventStore) -> Party:
    """A game whose process knows the token of seat 0, which another process has replaced."""
    party = api.people()
    sent = api.call("POST", commands(party), SAY, token=party.tokens[0], headers=ONCE)
    assert sent.status == 200
    replaced(store, party, "lost")
    return party


def replaced(store: RedisEventStore, party: Party, request: str) -> str:
    """The token that this request gets for seat 0."""
    return GameTokens(store).replace_seat_token(party.game, 0, request)


def commands(party: Party) -> str:
    """Where its commands are sent to."""
    return f"/v1/games/{party.game}/commands"


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        ("commands", SAY, {}),
        ("commands", SAY, ONCE),
        ("commands", {"type": "say", "text": "bye"}, ONCE),
        ("commands", {"type": "reveal"}, {}),
        ("commands", [SAY, {"type": "reveal"}], {}),
        ("commands", {"type": "nonsense"}, {}),
        ("commands", SAY, {"If-Match": '"1-00000000"'}),
        ("commands?dry_run=true", SAY, {}),
        ("take-backs", {"to_version": 1}, {}),
        ("take-backs/agreement", None, {}),
    ],
)
def test_it_is_refused_whatever_is_sent(
    api: InProcess, party: Party, path: str, body: Any, headers: dict[str, str]
) -> None:
    """Legal or not, known or new: the answer says only that the token is none of this game's."""
    before = api.store.read(party.game)

    answer = api.call("POST", f"/v1/games/{party.game}/{path}", body, token=party.tokens[0], headers=headers)

    assert (answer.status, answer.json["code"]) == (403, "not_your_game")
    assert api.store.read(party.game) == before


def test_the_new_token_is_the_seats(api: InProcess, party: Party, store: RedisEventStore) -> None:
    """It plays on, and is told what the seat had sent before."""
    new = replaced(store, party, "lost")
    again = api.call("POST", commands(party), SAY, token=new, headers=ONCE)
    assert (again.status, again.headers["idempotent-replayed"]) == (200, "true")
    assert api.call("POST", commands(party), {"type": "plant", "field": 0}, token=new).status == 200


def test_of_several_new_tokens_the_last_one_counts(
    api: InProcess, party: Party, store: RedisEventStore
) -> None:
    """Also where the process has seen each of them work."""
    for request in ("lost", "lost again", "and again"):
        token = replaced(store, party, request)
        assert api.call("POST", commands(party), SAY, token=token).status == 200
    assert api.call("POST", commands(party), SAY, token=replaced(store, party, "lost")).status == 403


@pytest.mark.parametrize("is_remembered", [True, False])
def test_a_token_that_is_replaced_while_a_command_is_decided_is_refused(
    api: InProcess, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch, *, is_remembered: bool
) -> None:
    """Also where the store was asked right before, because nothing was remembered: the append finds out."""
    party = api.people()
    if is_remembered:
        assert party.send(0, SAY).status == 200
    prepare = api.store.prepare_append

    def replace_and_prepare(*arguments: Any, **named: Any) -> Any:
        replaced(store, party, "lost")
        return prepare(*arguments, **named)

    monkeypatch.setattr(api.store, "prepare_append", replace_and_prepare)
    answer = api.call("POST", commands(party), SAY, token=party.tokens[0])
    assert (answer.status, answer.json["code"]) == (403, "not_your_game")


def replaced_at_once(
    store: RedisEventStore, party: Party, seats: tuple[int, int], number: int
) -> list[str | None]:
    """What two requests at the same time get for these seats; None for one that is refused."""
    begin = Barrier(2)

    def replace(seat: int, request: str) -> str | None:
        tokens = GameTokens(store)
        try:
            return tokens.replace_seat_token(party.game, seat, request, begin.wait)
        except TooManyReplacements:
            return None

    with ThreadPoolExecutor(2) as threads:
        requests = [f"{name}-{number}" for name in ("one", "other")]
        return list(threads.map(replace, seats, requests))


def test_of_two_new_tokens_at_once_one_is_good(api: InProcess, store: RedisEventStore) -> None:
    """Whichever comes second replaces that of the first, too."""
    party = api.people()
    for number in range(ROUNDS):
        assert None not in replaced_at_once(store, party, (0, 0), number)
        private = store.private(party.game)
        assert [held for name, held in private.items() if is_token_field(name)].count("0") == 1, number


def test_two_at_once_replace_no_more_tokens_than_there_is_room_for(
    api: InProcess, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen room for one more: one of them gets it, and what the other seat has stays good."""
    party = api.people()
    for number in range(ROUNDS):
        monkeypatch.setattr(game_tokens, "MOST_REPLACED", number + 1)
        assert replaced_at_once(store, party, (0, 1), number).count(None) == 1, number
        private = store.private(party.game)
        held = [value for name, value in private.items() if is_token_field(name)]
        assert (held.count(REPLACED), held.count("0"), held.count("1")) == (number + 1, 1, 1), number
