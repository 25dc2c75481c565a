"""Several commands in one request: they count up to the first that is refused, or with `atomic` all or none."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party, events_of

BOTH_WAYS = True
PLANT = {"type": "plant", "field": 0}
REVEAL = {"type": "reveal"}
DRAW = {"type": "draw"}
SAY = {"type": "say", "text": "there"}


def send(api: InProcess, party: Party, body: Any, query: str = "", **headers: str) -> Answer:
    """Send to the game as its first seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands{query}"
    return api.call("POST", path, body, token=party.tokens[0], headers=named)


def types(answer: Answer) -> list[str]:
    """The types of the events of an answer."""
    return [event["entry"]["type"] for event in answer.json["events"]]


def test_several_commands_are_applied_in_order(api: InProcess) -> None:
    """An array is one step of the log: its events follow one another, and all arrived at the same moment."""
    party = api.people()
    answer = send(api, party, [PLANT, SAY, REVEAL])
    assert (answer.status, answer.json["applied"], answer.json["stopped"]) == (200, 3, None)
    assert types(answer)[0] == "bean_planted"
    assert types(answer).index("talked") < types(answer).index("cards_revealed")
    assert len({event["entry"]["at"] for event in answer.json["events"]}) == 1


def test_one_command_is_applied_or_refused(api: InProcess) -> None:
    """An accepted one says that it is one; a refused one, also as an array, is a problem."""
    party = api.people()
    for body in (DRAW, [DRAW], [DRAW, PLANT]):
        refused = send(api, party, body)
        assert (refused.status, refused.json["code"], refused.json["place"]) == (422, "wrong_phase", 0)
    accepted = send(api, party, PLANT)
    assert (accepted.status, accepted.json["applied"], accepted.json["stopped"]) == (200, 1, None)


def test_those_before_the_first_refused_one_count(api: InProcess) -> None:
    """The answer says how many, where it stopped, and why, as the problem would have said it."""
    party = api.people()
    before = api.get(f"/v1/games/{party.game}")["version"]
    answer = send(api, party, [PLANT, SAY, DRAW, SAY])
    assert (answer.status, answer.json["applied"]) == (200, 2)
    assert types(answer) == ["bean_planted", "talked"]
    stopped = answer.json["stopped"]
    alone = send(api, party, DRAW).json
    del alone["request_id"]  # it stands in the header of the whole answer
    assert stopped == {**alone, "place": 2}
    assert stopped["section"] == "Bohnanza (104 cards), Déroulement de la partie"
    assert (stopped["version"], answer.json["version"]) == (before + 2, before + 2)
    assert stopped["legal_commands"] == party.legal(0)["commands"]
    assert api.get(f"/v1/games/{party.game}")["version"] == before + 2


def test_what_turns_up_hidden_cards_ends_an_array(api: InProcess) -> None:
    """Who sends the next one has not seen them yet; what was applied before it counts."""
    party = api.people()
    answer = send(api, party, [PLANT, REVEAL, SAY])
    assert (answer.status, answer.json["applied"]) == (200, 2)
    stopped = answer.json["stopped"]
    assert (stopped["code"], stopped["place"]) == ("hidden_cards_turned_up", 2)
    assert stopped["section"] == "Fieldbook, house rule"
    assert stopped["version"] == answer.json["version"] == api.get(f"/v1/games/{party.game}")["version"]
    assert stopped["legal_commands"] == party.legal(0)["commands"]


def test_atomic_commands_are_applied_wholly_or_not_at_all(api: InProcess) -> None:
    """When one of them is refused, none has happened, and `place` says which it was."""
    party = api.people()
    before = api.store.head(party.game)
    assert before is not None
    answer = send(api, party, [PLANT, SAY, DRAW, PLANT], "?atomic=true")
    assert (answer.status, answer.json["code"], answer.json["place"]) == (422, "wrong_phase", 2)
    assert answer.json["version"] == before.version
    assert api.store.head(party.game) == before
    assert send(api, party, [PLANT, SAY], "?atomic=true").json["applied"] == 2


@pytest.mark.parametrize("dry", ["", "&dry_run=true"])
def test_nothing_can_follow_what_turns_up_hidden_cards_atomically(api: InProcess, dry: str) -> None:
    """Else a command that is sure to be refused would show the next cards and put them back."""
    party = api.people()
    send(api, party, PLANT)
    before = api.store.head(party.game)
    listed = party.legal(0)["commands"]
    answer = send(api, party, [REVEAL, DRAW], f"?atomic=true{dry}")
    assert (answer.status, answer.json["code"]) == (422, "hidden_cards_turned_up")
    assert answer.json["place"] == 1
    assert "state" not in answer.json
    assert answer.json["legal_commands"] == listed
    assert api.store.head(party.game) == before


def test_a_dry_run_says_where_it_would_stop_and_shows_no_hidden_card(api: InProcess) -> None:
    """Nothing is appended, and what would be turned up is told neither by events nor by what is legal after it."""
    party = api.people()
    before = api.store.head(party.game)
    tried = send(api, party, [PLANT, DRAW], "?dry_run=true").json
    assert (tried["applied"], tried["stopped"]["code"], tried["withheld"]) == (1, "wrong_phase", False)
    tried = send(api, party, [PLANT, REVEAL, DRAW], "?dry_run=true").json
    assert (tried["applied"], tried["stopped"]["code"], tried["withheld"]) == (
        2,
        "hidden_cards_turned_up",
        True,
    )
    assert [event["entry"]["type"] for event in tried["events"]] == ["bean_planted"]
    assert tried["stopped"]["version"] == tried["version"]
    assert api.store.head(party.game) == before
    send(api, party, PLANT)
    assert tried["stopped"]["legal_commands"] == party.legal(0)["commands"]


@pytest.mark.parametrize(
    "body", [[PLANT, SAY, DRAW], [PLANT, REVEAL, SAY], [PLANT, SAY]], ids=["refused", "turned up", "whole"]
)
def test_a_repeated_array_gets_its_first_answer(api: InProcess, body: list[Any]) -> None:
    """As many count and the same problem is told, though the game has moved on and in any process."""
    party = api.people()
    first = send(api, party, body, Idempotency_Key="once")
    assert send(api, party, body, Idempotency_Key="once").json == first.json
    party.play(30)
    for client in (api, InProcess(api.store)):
        again = send(client, party, body, Idempotency_Key="once")
        assert (again.status, again.headers.get("idempotent-replayed")) == (200, "true")
        assert again.json == first.json
        assert again.headers["etag"] == first.headers["etag"]


def test_a_refused_array_leaves_no_trace_with_its_key(api: InProcess) -> None:
    """Refused at its first place, or atomic, it was never applied: the same request may be sent again."""
    party = api.people()
    for query in ("", "?atomic=true"):
        assert send(api, party, [REVEAL, SAY], query, Idempotency_Key=f"k{query}").status == 422
    send(api, party, PLANT)
    done = send(api, party, [REVEAL, SAY], Idempotency_Key="k")
    assert (done.status, done.json["applied"]) == (200, 1)
    assert "idempotent-replayed" not in done.headers


def test_atomic_or_not_is_part_of_the_request(api: InProcess) -> None:
    """The same key and array with another meaning is another request."""
    party = api.people()
    assert send(api, party, [SAY, SAY], Idempotency_Key="k").status == 200
    other = send(api, party, [SAY, SAY], "?atomic=true", Idempotency_Key="k")
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")


def test_a_dry_run_knows_nothing_of_keys(api: InProcess) -> None:
    """It answers for the game as it stands, also with the key of a command that was applied."""
    party = api.people()
    send(api, party, PLANT, Idempotency_Key="k")
    send(api, party, REVEAL)
    tried = send(api, party, PLANT, "?dry_run=true", Idempotency_Key="k")
    assert (tried.status, tried.json["code"]) == (422, "wrong_phase")
    assert "idempotent-replayed" not in tried.headers


@pytest.mark.parametrize("body", [SAY, [PLANT, SAY, DRAW]], ids=["one", "several"])
def test_the_same_request_many_times_at_once_counts_once(api: InProcess, body: Any) -> None:
    """Two processes, eight senders, one key: all get the same answer, and one of them was the first."""
    party = api.people()
    clients = [api, InProcess(api.store)]
    together = Barrier(8)

    def once(number: int) -> Answer:
        together.wait(60)
        return send(clients[number % 2], party, body, Idempotency_Key="at-once")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(once, range(8)))
    assert [answer.status for answer in answers] == [200] * 8
    assert len({answer.body for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    said = [event for event in events_of(api, party.game) if event["entry"]["type"] == "talked"]
    assert len(said) == 1


def test_a_game_and_a_seat_asked_for_many_times_at_once_are_there_once(api: InProcess) -> None:
    """With one key every answer names the same game, the same seat, and the same tokens."""
    together = Barrier(6)

    def make(_number: int) -> Any:
        together.wait(60)
        return api.create([{"name": "Ada"}, None, None], {"Idempotency-Key": "table"})

    def sit(_number: int) -> bytes:
        together.wait(60)
        headers = {"Idempotency-Key": "nobody-can-guess-this"}
        return api.call("POST", f"/v1/games/{game}/seats", {"name": "Bob"}, headers=headers).body

    with ThreadPoolExecutor(6) as threads:
        made = list(threads.map(make, range(6)))
        game = made[0]["game"]
        assert all(each == made[0] for each in made)
        assert len(set(threads.map(sit, range(6)))) == 1
    names = [seat["name"] for seat in api.get(f"/v1/games/{game}")["seats"]]
    assert names == ["Ada", "Bob", None]


def test_reading_ignores_keys(api: InProcess) -> None:
    """An Idempotency-Key on a GET neither fails nor binds anything, whatever it looks like."""
    party = api.people()
    first = api.get(f"/v1/games/{party.game}", Idempotency_Key='a"b')
    party.send(0, PLANT)
    assert api.get(f"/v1/games/{party.game}", Idempotency_Key='a"b')["version"] == first["version"] + 1
