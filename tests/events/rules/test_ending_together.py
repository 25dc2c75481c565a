"""Ending a game together: one offers it as drawn or called off, and it ends when all have agreed."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.move import ARBITER
from tests.events.rules.games import Giving, all_games, standard_games
from tests.events.rules.test_leaving import left, with_bot
from tests.support.given import Given


def offered(given: Giving, kind: str = "drawn", by: int = 0) -> Given:
    """A table at which this seat has offered to end the game."""
    return given(coins=("blue", "blue")).when(c.OfferEnd(kind), by=by).then(e.EndOffered(by, kind, (by,)))


def accepted_by(table: Given, seats: range) -> Given:
    """The table after all these have agreed, and others are still asked."""
    for seat in seats:
        table = table.when(c.AcceptEnd(), by=seat).then(e.EndAccepted(seat))
    return table


@all_games
def test_a_draw_is_won_by_all_who_are_there(given: Giving) -> None:
    """Fieldbook, house rule: with the last agreement the game ends as it stands, and nothing is harvested."""
    last = given.seats[-1]
    table = accepted_by(offered(given), given.seats[1:-1])
    scores = (2, *(0 for _ in given.seats[1:]))
    ended = table.when(c.AcceptEnd(), by=last).then(
        e.EndAccepted(last), e.GameEnded(scores, tuple(given.seats), "drawn"), e.DealerCalled("secret")
    )
    ended.when(c.OfferEnd("drawn")).then_refused(errors.GameOver)


@all_games
def test_a_game_that_is_called_off_is_won_by_nobody(given: Giving) -> None:
    """Fieldbook, house rule: the scores are told all the same."""
    last = given.seats[-1]
    table = accepted_by(offered(given, "called_off"), given.seats[1:-1])
    scores = (2, *(0 for _ in given.seats[1:]))
    table.when(c.AcceptEnd(), by=last).then(
        e.EndAccepted(last), e.GameEnded(scores, (), "called_off"), e.DealerCalled("secret")
    )


@all_games
def test_the_game_goes_on_while_an_end_is_offered(given: Giving) -> None:
    """Fieldbook, house rule: nobody has to answer, and nothing waits for it."""
    table = offered(given, by=1)
    assert table.state.end_offer is not None
    table.when(c.Plant(0)).then_among_others()


@standard_games
def test_one_who_declines_is_enough_for_the_game_to_go_on(given: Giving) -> None:
    """Fieldbook, house rule: the offer is gone, and another one can be made."""
    table = offered(given).when(c.DeclineEnd(), by=1).then(e.EndDeclined(1))
    assert table.state.end_offer is None
    table.when(c.OfferEnd("called_off"), by=1).then(e.EndOffered(1, "called_off", (1,)))


@standard_games
def test_who_offered_or_agreed_may_think_better_of_it(given: Giving) -> None:
    """Fieldbook, house rule: until all have agreed everybody can decline."""
    offered(given).when(c.DeclineEnd()).then(e.EndDeclined(0))
    accepted_by(offered(given), range(1, 2)).when(c.DeclineEnd(), by=1).then(e.EndDeclined(1))


@standard_games
def test_one_offer_is_open_at_a_time(given: Giving) -> None:
    """Fieldbook, house rule: whoever wants another one declines the first."""
    offered(given).when(c.OfferEnd("called_off"), by=1).then_refused(errors.EndOfferOpen)


@standard_games
def test_nobody_agrees_twice(given: Giving) -> None:
    """Fieldbook, house rule: who offered has agreed."""
    offered(given).when(c.AcceptEnd()).then_refused(errors.AgreedAlready)
    accepted_by(offered(given), range(1, 2)).when(c.AcceptEnd(), by=1).then_refused(errors.AgreedAlready)


@standard_games
def test_without_an_offer_there_is_nothing_to_answer(given: Giving) -> None:
    """Fieldbook, house rule: neither to agree to nor to decline."""
    given().when(c.AcceptEnd(), by=1).then_refused(errors.NoEndOffer)
    given().when(c.DeclineEnd(), by=1).then_refused(errors.NoEndOffer)


@standard_games
@pytest.mark.parametrize("kind", ["abandoned", "won", "", "DRAWN"])
def test_there_are_two_ways_to_end_together(given: Giving, kind: str) -> None:
    """Fieldbook, house rule: drawn, or called off."""
    given().when(c.OfferEnd(kind)).then_refused(errors.BadEndOffer)


@standard_games
def test_no_bot_agrees_to_an_end(given: Giving) -> None:
    """Fieldbook, house rule: where a bot has a seat of its own nobody can offer one, at any score."""
    table = with_bot(given(), 1)
    for kind in ("drawn", "called_off"):
        for seat in given.seats:
            table.when(c.OfferEnd(kind), by=seat).then_refused(errors.PeopleOnly)


@standard_games
def test_the_bot_of_who_left_agrees_at_once_and_is_not_asked(given: Giving) -> None:
    """Fieldbook, house rule: who is there decides."""
    table = left(given(), 1)
    asked = table.when(c.OfferEnd("called_off")).then(e.EndOffered(0, "called_off", (0, 1)))
    asked.when(c.AcceptEnd(), by=1).then_refused(errors.PeopleOnly)
    asked.when(c.DeclineEnd(), by=1).then_refused(errors.PeopleOnly)
    table.when(c.OfferEnd("drawn"), by=1).then_refused(errors.PeopleOnly)


@standard_games
def test_who_leaves_agrees_by_the_bot_that_takes_over(given: Giving) -> None:
    """Fieldbook, house rule: the bot agrees at once; who is away shares no draw."""
    table = accepted_by(offered(given), given.seats[2:])
    staying = tuple(seat for seat in given.seats if seat != 1)
    scores = (2, *(0 for _ in given.seats[1:]))
    table.when(c.Resign(), by=1).then(
        e.SeatResigned(1),
        e.SeatTakenOver(1, "greedy", "resigned"),
        e.EndAccepted(1),
        e.GameEnded(scores, staying, "drawn"),
        e.DealerCalled("secret"),
    )


@standard_games
def test_who_offered_and_leaves_has_agreed_already(given: Giving) -> None:
    """Fieldbook, house rule: the offer stays open for the others."""
    table = left(offered(given), 0)
    assert table.state.end_offer is not None
    assert table.state.end_offer.agreed == (0,)


@standard_games
def test_an_offer_outlasts_a_pause_and_cannot_be_answered_in_it(given: Giving) -> None:
    """Fieldbook, house rule: while the game is held up nothing but talk is accepted."""
    paused = offered(given).when(c.PauseGame(1, "conduct"), by=ARBITER).then(e.GamePaused(1, "conduct"))
    for command in (c.AcceptEnd(), c.DeclineEnd(), c.OfferEnd("drawn")):
        paused.when(command, by=1).then_refused(errors.GameIsPaused)
    going_on = paused.when(c.ResumeGame(1), by=ARBITER).then(e.GameResumed(1))
    going_on.when(c.AcceptEnd(), by=1).then(e.EndAccepted(1))


@standard_games
def test_an_offer_is_gone_when_the_game_goes_back(given: Giving) -> None:
    """Fieldbook, house rule: also one that was open at the version that it goes back to."""
    then = offered(given)
    now = then.when(c.Plant(0)).then_among_others().after(7, then)
    table = now.when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    for seat in given.seats[1:]:
        table = table.when(c.AgreeTakeBack(), by=seat).then_among_others()
    assert table.state.end_offer is None
