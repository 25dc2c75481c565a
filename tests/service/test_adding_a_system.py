"""A rule system is added by stating it and by entering it in the list: nothing else has to know of it."""

from collections.abc import Iterator

import pytest

from events import domain_events as e
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from replay.verification.verify import verify_lines
from service.simulation.self_play import self_play
from tests.service.in_process import InProcess
from tests.support.recorded_games import RecordedGame
from tests.support.seventh_system import FALLOW, MORE, fallow

KEY = FALLOW.key
SEED = 7


@pytest.fixture
def seventh() -> Iterator[None]:
    """The system is in the list, for a while."""
    with fallow():
        yield


def played() -> RecordedGame:
    """A game of bots by these rules."""
    bots = ("greedy", "random", "greedy")
    table, log = self_play(KEY, len(bots), bots, f"fallow {SEED}", {})
    return RecordedGame(table, tuple(log))


def test_outside_the_list_there_is_no_such_system() -> None:
    """It comes with its line in the list and goes with it."""
    with pytest.raises(UnknownSystem):
        system_named(KEY)


def test_bots_play_it_to_its_end(seventh: None) -> None:
    """Greedy and random bots play it, by its own numbers and by its own phase 4."""
    game = played()
    assert game.table.state.status == "finished"
    events = [decode_event(entry) for entry in game.log]
    assert {len(event.cards) for event in events if isinstance(event, e.HandDealt)} == {4}
    drawn = {len(event.cards) for event in events if isinstance(event, e.CardsDrawn)}
    assert {FALLOW.setup(3).draw, FALLOW.setup(3).draw + MORE} <= drawn


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_its_records_verify(seventh: None, viewer: int) -> None:
    """For an auditor, for everybody and for a seat; the rules are asked again where all is known."""
    report = verify_lines(played().record(viewer))
    assert (report.findings, report.status) == ((), "finished")


def test_it_is_listed_and_played_over_http(api: InProcess, seventh: None) -> None:
    """Whoever asks for the rule systems finds it, and games of it are set up and played like any other."""
    listed = api.get("/v1/systems")["systems"]
    assert [each["system"] for each in listed][-1] == KEY
    assert api.get(f"/v1/systems/{KEY}")["phases"] == [phase.name for phase in FALLOW.phases]

    made = api.create([{"name": name} for name in ("Ada", "Bob", "Cleo")], system=KEY)
    token = made["seats"][0]["token"]
    plant = api.get(f"/v1/games/{made['game']}/commands", token)["commands"][0]
    answer = api.call("POST", f"/v1/games/{made['game']}/commands", plant, token=token)
    assert [each["entry"]["type"] for each in answer.json["events"]] == ["bean_planted"]
