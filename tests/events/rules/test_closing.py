"""Closing a game that nobody plays: the host does, and the secret is opened as after any game."""

import pytest

from events import commands as c
from events import domain_events as e
from events.game.table import Table, new_table
from events.log.codec import decode_event
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import ARBITER, HOST
from events.rules.systems.registry import ALL, BY_KEY
from tests.support.tables import SECRET, STARTED, new_game

SYSTEMS = pytest.mark.parametrize("system", BY_KEY)


def open_game(system: str) -> Table:
    """A table of this system with one seat taken."""
    asked = BY_KEY[system]
    table, _ = new_table(
        "game",
        system,
        asked.players[0],
        options={},
        catalogue=shipped_catalogue(asked.catalogue),
        secret=SECRET,
        at=STARTED,
    )
    return table.submit(HOST, c.TakeSeat(0, "Ann", "human"), STARTED)[0]


@SYSTEMS
def test_a_game_that_never_began_is_closed_and_opens_its_secret(system: str) -> None:
    """Fieldbook, house rule: it is a finished game without a winner, in which nobody has earned anything."""
    table, entries = open_game(system).submit(HOST, c.CloseGame("never_begun"), STARTED + 1)
    players, unit = table.rules.players, table.rules.system.unit
    assert [decode_event(each) for each in entries] == [
        e.GameClosed("never_begun"),
        e.GameEnded((0,) * players, (), "never_begun", unit),
        e.DealerCalled("secret"),
        e.SecretRevealed(SECRET),
    ]
    assert table.state.status == "finished"


@SYSTEMS
def test_a_game_that_nobody_plays_is_closed_as_it_stands(system: str) -> None:
    """Fieldbook, house rule: nothing is harvested, and nobody wins."""
    begun, _ = new_game(BY_KEY[system].players[0], system=system)
    table, entries = begun.submit(HOST, c.CloseGame("untouched"), STARTED + 1)
    assert decode_event(entries[0]) == e.GameClosed("untouched")
    assert table.state.status == "finished"
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((), "untouched")


def test_a_pause_does_not_keep_a_game_from_being_closed() -> None:
    """Fieldbook, house rule: the host has the last word about a game that nobody comes back to."""
    begun, _ = new_game()
    paused, _ = begun.submit(ARBITER, c.PauseGame(1, "conduct"), STARTED + 1)
    assert paused.submit(HOST, c.CloseGame("untouched"), STARTED + 2)[0].state.status == "finished"


def test_a_game_is_closed_for_a_reason_that_fits() -> None:
    """Fieldbook, house rule: one that runs has begun, one that is open was not touched, and there is no third."""
    waiting, (running, _) = open_game("classic"), new_game()
    for table, reason in (
        (waiting, "untouched"),
        (running, "never_begun"),
        (running, "abandoned"),
        (running, ""),
    ):
        with pytest.raises(errors.BadClosing):
            table.submit(HOST, c.CloseGame(reason), STARTED + 9)


def test_a_game_is_closed_once() -> None:
    """Fieldbook, house rule: a finished game cannot be closed."""
    closed, _ = open_game("classic").submit(HOST, c.CloseGame("never_begun"), STARTED + 1)
    with pytest.raises(errors.BadClosing):
        closed.submit(HOST, c.CloseGame("never_begun"), STARTED + 2)


def test_nobody_else_closes_a_game() -> None:
    """Fieldbook, house rule: no seat, and no arbiter."""
    running, _ = new_game()
    for actor in (0, ARBITER):
        with pytest.raises(errors.UnknownCommand):
            running.submit(actor, c.CloseGame("untouched"), STARTED + 1)


def test_every_system_is_closed_alike() -> None:
    """The host's commands are the same in all of them."""
    assert {system.key for system in ALL} == {*BY_KEY}
