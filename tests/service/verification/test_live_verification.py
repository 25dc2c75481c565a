"""While a game is being played everybody at the table can check it: the same chain for all, and each own card."""

import random
from typing import Any

from events.chain.commitments import commit
from events.chain.hash_chain import GENESIS, link
from events.log.disclosure import Form, public_form
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Party


def heads(stream: EventStream, version: int) -> tuple[list[str], list[Any]]:
    """The chain heads up to a version as this viewer computes them from what the stream brings, and the events."""
    found, events = [GENESIS], []
    while len(found) <= version:
        event = stream.event().json
        found.append(link(found[-1], public_form(Form(**event))))
        assert found[-1] == event["hash"]
        events.append(event)
    return found[1:], events


def own_cards(events: list[Any], seat: int) -> int:
    """Check every card that came into this seat's hand against the commitment that everybody else has."""
    checked = 0
    for event in events:
        data = event["entry"]["data"]
        if event["entry"]["type"] in {"hand_dealt", "cards_drawn"} and data["seat"] == seat:
            hidden = public_form(Form(**event))["data"]["cards"]
            for place, card in enumerate(data["cards"]):
                salt = event["salts"][f"data/cards/{place}"]
                assert commit(salt, card) == hidden[place]["commitment"]
                checked += 1
    return checked


def test_all_viewers_compute_the_same_heads_and_a_seat_verifies_its_cards_on_arrival(api: InProcess) -> None:
    """Two seats, a spectator and the arbiter stream a running game of every kind of event there is in it."""
    made = api.create([{"name": name, "seed": f"seed-of-{name}"} for name in ("Ada", "Bob", "Cleo")])
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random("live"))
    with (
        EventStream(api, party.game, "?after=0", party.tokens[0]) as first,
        EventStream(api, party.game, "?after=0", party.tokens[1]) as second,
        EventStream(api, party.game, "?after=0") as spectator,
        EventStream(api, party.game, "?after=0&as=all", api.key) as arbiter,
    ):
        party.play(120)
        version = api.get(f"/v1/games/{party.game}")["version"]
        seen = [heads(stream, version) for stream in (first, second, spectator, arbiter)]

    computed = [found for found, _ in seen]
    assert all(found == computed[0] for found in computed)
    assert computed[0][-1] == api.get(f"/v1/games/{party.game}")["hash"]
    assert own_cards(seen[0][1], 0) >= 5
    assert own_cards(seen[1][1], 1) >= 5
    assert len({str(events) for _, events in seen}) == 4


def test_a_seat_that_brings_no_seed_is_recorded_so(api: InProcess) -> None:
    """What that means for the deal is specified in docs/record-format.md, under Dealing."""
    made = api.create([{"name": "Ada", "seed": "mine"}, {"name": "Bob"}, {"name": "Cleo"}])
    taken = [
        event["entry"]["data"]
        for event in api.get(f"/v1/games/{made['game']}/events")["events"]
        if event["entry"]["type"] == "seat_taken"
    ]

    assert [each.get("seed", "") for each in taken] == ["mine", "", ""]
