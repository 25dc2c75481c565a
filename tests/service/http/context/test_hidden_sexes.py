"""`ladybohn`: what an offered hand card is stays hidden until the trade is made, also from who only tries."""

import random

import pytest

from tests.service.http.resources.test_sending_commands import send
from tests.service.in_process import InProcess
from tests.support.http_play import Party


@pytest.fixture
def offered(api: InProcess) -> Party:
    """Seat 0 offers seat 1 a hand card for nothing."""
    seats = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
    made = api.create(seats, system="ladybohn")
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    number = api.get(f"/v1/games/{party.game}", token=party.tokens[0])["seats"][0]["hand"]["cards"][2][
        "number"
    ]
    for command in (
        {"type": "plant", "field": 0},
        {"type": "reveal"},
        {"type": "offer", "to": 1, "hand": [number]},
    ):
        assert send(api, party, command).status == 200
    return party


def test_a_dry_run_of_an_acceptance_does_not_show_the_card(api: InProcess, offered: Party) -> None:
    """Else everybody could look before trading."""
    answer = send(api, offered, {"type": "accept", "offer": 1}, 1, "?dry_run=true")
    assert (answer.status, answer.json["withheld"], answer.json["events"]) == (200, True, [])


@pytest.mark.parametrize("query", ["?atomic=true", "?atomic=true&dry_run=true"])
def test_nothing_can_follow_an_acceptance_atomically(api: InProcess, offered: Party, query: str) -> None:
    """Else a command that is sure to be refused would show the card and take the trade back."""
    answer = send(api, offered, [{"type": "accept", "offer": 1}, {"type": "draw"}], 1, query)
    assert (answer.status, answer.json["code"], answer.json["place"]) == (422, "hidden_cards_turned_up", 1)


def test_an_acceptance_ends_an_array(api: InProcess, offered: Party) -> None:
    """A dry run of it keeps the card to itself; sent in earnest, the trade is made and shows it."""
    body = [{"type": "accept", "offer": 1}, {"type": "draw"}]
    tried = send(api, offered, body, 1, "?dry_run=true").json
    assert (tried["applied"], tried["withheld"], tried["events"]) == (1, True, [])
    done = send(api, offered, body, 1).json
    assert (done["applied"], done["stopped"]["code"]) == (1, "hidden_cards_turned_up")
    assert done["events"][0]["entry"]["type"] == "trade_made"


def test_the_trade_shows_it(api: InProcess, offered: Party) -> None:
    """Once it is made, to everybody."""
    answer = send(api, offered, {"type": "accept", "offer": 1}, 1)
    assert answer.json["events"][0]["entry"]["type"] == "trade_made"
    (card,) = answer.json["events"][0]["entry"]["data"]["active_cards"]
    assert card.endswith(("_male", "_female", "_baby"))
