"""The table as text: 80 columns, no hidden card, and texts of a record kept harmless."""

from dataclasses import replace

import msgspec
import pytest

from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.table.state import Result, Seat
from replay.commentary import Commentary
from replay.commentary.cells import cells
from replay.terminal.table_text import Line, offer_text, table_lines, when
from replay.timeline.timeline import Step, Timeline, read_timeline
from tests.support.recorded_games import recorded_game

GAME = recorded_game(5, 5)


def timeline(viewer: int) -> Timeline:
    """The game's timeline for a viewer."""
    return read_timeline(*read_record(GAME.record()), viewer)


def plain(lines: list[Line]) -> str:
    """The lines without their styles."""
    return "\n".join("".join(text for text, _ in line) for line in lines)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_the_table_fits_into_80_columns(viewer: int) -> None:
    """No line is wider than 80 columns, at every third version of a whole game."""
    whole = timeline(viewer)

    for step in [*whole.steps][::3]:
        assert max(cells(line) for line in plain(table_lines(whole, step)).splitlines()) <= 80


def test_long_and_wide_names_fit_as_well() -> None:
    """Names of the greatest length, also of letters that are two columns wide."""
    whole = timeline(ALL)
    last = whole.at(150)
    for name in ("W" * 40, "さ" * 40, "a b " * 10):
        seats = tuple(Seat(name=name, kind="bot", bot=name, fields=((),)) for _ in last.state.seats)
        state = last.state.__class__(
            seats=seats, status="running", turn=1, game=name, system=name, phase=name
        )
        step = Step(last.form, last.event, None, state)
        assert max(cells(line) for line in plain(table_lines(whole, step)).splitlines()) <= 80


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_an_offer_says_which_of_its_revealed_cards_were_just_traded(viewer: int) -> None:
    """Until it lapses, right after the trade: what lay open for everybody is gone then, not hidden."""
    whole = timeline(viewer)
    tell = Commentary(whole.header.catalogue)
    doomed = []
    for step in whole.steps:
        lying = {number for number, _ in step.state.revealed}
        for offer in step.state.offers:
            gone = {*offer.revealed, *offer.want_revealed} - lying
            doomed += [(len(gone), offer_text(tell, step.state, offer))] if gone else []

    assert {count for count, _ in doomed} == {1, 2}
    for count, text in doomed:
        assert ("a revealed card that is gone" if count == 1 else "2 revealed cards that are gone") in text
        assert "revealed hidden card" not in text


def test_the_table_names_everything_on_it() -> None:
    """Piles, players, fields, hands with their numbers, and the cards that come next."""
    whole = timeline(ALL)
    step = next(step for step in whole.steps if step.state.offers and step.state.turn > 3)
    text = plain(table_lines(whole, step))

    assert f"version {step.version} of {whole.last}, as all" in text
    for seat in step.state.seats:
        assert seat.name in text
        for number, card in seat.hand:
            assert f"{number} {card.replace('_', '-')}" in text
    assert f"draw pile      {len(step.state.draw_pile)} cards" in text
    assert f"offers         {step.state.offers[0].number}: " in text


def test_a_seat_sees_its_own_hand_only() -> None:
    """Another hand is a number of cards, and the draw pile is a size."""
    whole = timeline(1)
    step = whole.at(whole.stops["turn"][2])
    text = plain(table_lines(whole, step))

    for number, seat in enumerate(step.state.seats):
        block = text.split(seat.name)[-1].split("field 0")[0]
        size = {0: "empty", 1: "a card"}.get(len(seat.hand), f"{len(seat.hand)} cards")
        assert f"hand       {size}" in block or number == 1
    assert "next" not in text


@pytest.mark.parametrize("moment", [31_536_000_000, 1_767_225_600_000, 2**53 - 1])
def test_any_moment_can_be_shown(moment: int) -> None:
    """The clock of a record may say anything."""
    assert when(moment)


@pytest.mark.parametrize("moment", [0, 1, 100_000])
def test_a_clock_that_counts_commands_has_no_date(moment: int) -> None:
    """As that of a simulated game, which begins at 0."""
    assert not when(moment)


def test_the_table_says_which_disputes_hold_it_up() -> None:
    """While a game is paused it waits for nobody at the table."""
    whole = timeline(ALL)
    step = whole.at(150)
    paused = replace(step, state=msgspec.structs.replace(step.state, paused_by=(2, 3)))

    assert "held up by dispute 2 and 3." in plain(table_lines(whole, paused))


def test_a_game_without_a_winner_was_won_by_nobody() -> None:
    """A ruling has annulled it."""
    whole = timeline(ALL)
    step = whole.at(whole.last)
    annulled = Result((0,) * 5, (), "annulled")
    nobody = replace(step, state=msgspec.structs.replace(step.state, result=annulled))

    assert "The game is over; nobody won." in plain(table_lines(whole, nobody))
