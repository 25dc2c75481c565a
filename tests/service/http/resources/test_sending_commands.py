"""Sending commands: what an accepted one answers, dry runs, and many senders at once."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from events.chain.hash_chain import link
from events.log.disclosure import Form, public_form
from service.play.deciding import FORESEEABLE
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party, events_of

BOTH_WAYS = True
PLANT = {"type": "plant", "field": 0}
REVEAL = {"type": "reveal"}


def send(api: InProcess, party: Party, body: Any, seat: int = 0, query: str = "", **headers: str) -> Answer:
    """Send to the game as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands{query}"
    return api.call("POST", path, body, token=party.tokens[seat], headers=named)


def test_an_accepted_command_answers_what_happened(api: InProcess) -> None:
    """Version, chain head, entity tag, and the events as the sender sees them."""
    party = api.people()
    before = api.get(f"/v1/games/{party.game}")
    answer = send(api, party, PLANT)
    assert answer.status == 200
    body = answer.json
    assert [event["entry"]["version"] for event in body["events"]] == [before["version"] + 1]
    assert body["version"] == before["version"] + 1
    assert answer.headers["etag"] == f'"{body["version"]}-{body["hash"][:8]}"'
    event = body["events"][0]
    assert event["entry"]["type"] == "bean_planted"
    assert event["entry"]["command"] == PLANT
    assert event["entry"]["actor"] == "seat:0"
    assert body["hash"] == link(before["hash"], public_form(Form(**event)))
    assert api.get(f"/v1/games/{party.game}")["hash"] == body["hash"]


def test_every_listed_command_is_accepted_as_it_is(api: InProcess) -> None:
    """What is listed without a form can be sent back unchanged; a dry run of each says so."""
    party = api.people()
    for _ in range(25):
        for seat in range(3):
            for command in party.legal(seat)["commands"]:
                if "form" not in command:
                    answer = send(api, party, command, seat, "?dry_run=true")
                    assert answer.status == 200, (command, answer.body)
        party.play(1)


def test_a_dry_run_leaves_no_trace(api: InProcess) -> None:
    """It answers what would happen; neither the game nor the Idempotency-Key knows of it."""
    party = api.people()
    before = api.store.head(party.game)
    tried = send(api, party, PLANT, query="?dry_run=true", Idempotency_Key="k")
    assert (tried.status, tried.json["dry_run"], tried.json["withheld"]) == (200, True, False)
    assert tried.json["events"][0]["entry"]["type"] == "bean_planted"
    assert api.store.head(party.game) == before
    refused = send(api, party, {"type": "draw"}, query="?dry_run=true")
    assert (refused.status, refused.json["code"]) == (422, "wrong_phase")
    sent = send(api, party, PLANT, Idempotency_Key="k")
    assert "idempotent-replayed" not in sent.headers
    assert sent.json["events"][0]["entry"]["data"] == tried.json["events"][0]["entry"]["data"]


def test_a_dry_run_does_not_show_what_would_be_turned_up(api: InProcess) -> None:
    """Cards of the draw pile stay hidden from who only tries, alone and after other commands."""
    party = api.people()
    send(api, party, PLANT)
    for body, told in ((REVEAL, 0), ([{"type": "say", "text": "?"}, REVEAL], 1)):
        answer = send(api, party, body, query="?dry_run=true")
        assert (answer.status, answer.json["withheld"]) == (200, True)
        assert len(answer.json["events"]) == told
    head = api.store.head(party.game)
    assert head is not None
    assert send(api, party, REVEAL, query="?dry_run=true").json["hash"] == head.hash


def test_what_counts_as_foreseeable_is_written_down_twice() -> None:
    """An event that declares itself foreseeable by mistake would let players look under cards."""
    assert {
        "aside_planted",
        "bean_planted",
        "end_accepted",
        "end_declined",
        "end_offered",
        "field_harvested",
        "offer_declined",
        "offer_lapsed",
        "offer_made",
        "offer_withdrawn",
        "phase_began",
        "readiness_declared",
        "readiness_withdrawn",
        "revealed_discarded",
        "revealed_planted",
        "seat_resigned",
        "seat_returned",
        "seat_taken_over",
        "talked",
        "third_field_bought",
        "time_credited",
        "trading_ended",
    } == FORESEEABLE


def test_many_senders_at_once_all_count_exactly_once(api: InProcess) -> None:
    """Without If-Match a command is applied to the newest state: eight people talking at once are all heard."""
    party = api.people()
    said = [f"{thread}:{number}" for thread in range(8) for number in range(10)]

    def talk(thread: int) -> list[int]:
        mine = [text for text in said if text.startswith(f"{thread}:")]
        return [send(api, party, {"type": "say", "text": text}, thread % 3).status for text in mine]

    with ThreadPoolExecutor(8) as threads:
        statuses = [status for found in threads.map(talk, range(8)) for status in found]
    assert set(statuses) == {200}
    events = events_of(api, party.game)
    heard = [event["entry"]["data"]["text"] for event in events if event["entry"]["type"] == "talked"]
    assert sorted(heard) == sorted(said)
    assert [event["entry"]["version"] for event in events] == list(range(1, len(events) + 1))


def test_nobody_can_act_for_somebody_else(api: InProcess) -> None:
    """Without a token 401, with a key or the token of another game 403; the game stands as it was."""
    party, elsewhere = api.people(), api.people(seed=2)
    before = api.store.head(party.game)
    path = f"/v1/games/{party.game}/commands"
    for token, status in [(None, 401), (api.key, 403), (elsewhere.tokens[0], 403), ("fbs_" + "0" * 40, 403)]:
        assert api.call("POST", path, PLANT, token=token).status == status
        assert api.call("GET", path, token=token).status == status
    assert send(api, party, PLANT, seat=1).json["code"] == "not_your_turn"
    assert api.store.head(party.game) == before


def test_a_refusal_explains_itself(api: InProcess) -> None:
    """It names the rule and its section, what the table looks like, and what would be legal instead."""
    party = api.people()
    problem = send(api, party, {"type": "draw"}).json
    assert problem["code"] == "wrong_phase"
    assert problem["section"] == "Bohnanza (104 cards), Déroulement de la partie"
    assert problem["state"] == {
        name: value
        for name, value in api.get(f"/v1/games/{party.game}", party.tokens[0]).items()
        if name in problem["state"]
    }
    assert problem["legal_commands"] == party.legal(0)["commands"]
    assert (problem["place"], problem["version"]) == (0, api.get(f"/v1/games/{party.game}")["version"])
