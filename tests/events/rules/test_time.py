"""Clocks: which ones a game can be played with, and what is decided when time is over or given back."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.game.dealing import commitment_to
from events.game.timekeeping import check_time
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.interventions.time import LONGEST_GRACE, LONGEST_TIME, MOST_STRIKES, REASONS, SHORTEST_CLOSE
from events.rules.move import ARBITER, CLOCK, HOST
from events.rules.table.state import INITIAL_STATE
from tests.events.rules.games import Giving, all_games, standard_games, trading
from tests.support.clocked_games import QUICK, ClockedGame
from tests.support.given import Given
from tests.support.tables import SECRET, classic_rules

DEADLINE = 1_700_000_060_000
OUTAGE = c.CreditTime(1_000, 61_000, "outage")


def clocked(table: Given) -> Given:
    """The same table, played with a clock."""
    return Given(table.rules, replace(table.state, clock=QUICK), table.earlier)


def with_bot(table: Given, seat: int) -> Given:
    """The same table with a bot on this seat."""
    seats = list(table.state.seats)
    seats[seat] = replace(seats[seat], kind="bot")
    return Given(table.rules, replace(table.state, seats=tuple(seats)))


def creation(clock: c.ClockSettings | None = None, close_after: int | None = None) -> c.CreateGame:
    """The command that sets up a table for three, with this clock."""
    options = dict(classic_rules().options)
    catalogue, commitment = shipped_catalogue("bohnanza-104").hash(), commitment_to(SECRET)
    return c.CreateGame(
        "g",
        "classic",
        3,
        options,
        catalogue,
        commitment,
        clock=clock,
        close_after=close_after,
    )


# --- with which clocks a game can be played ------------------------------------------------------------------


@pytest.mark.parametrize("clock", [None, QUICK, *c.PRESETS.values()])
@pytest.mark.parametrize("close_after", [None, SHORTEST_CLOSE, LONGEST_TIME])
def test_a_game_pins_its_clock(clock: c.ClockSettings | None, close_after: int | None) -> None:
    """Fieldbook, house rule: the first event says what it is played with, and when the host may close it."""
    table = Given(classic_rules(), INITIAL_STATE).when(creation(clock, close_after), by=HOST)
    created = table._decide()  # noqa: SLF001  # the whole event is looked at in test_setting_up.py
    event = created.events[0]
    assert isinstance(event, e.GameCreated)
    assert (event.clock, event.close_after, created.state.clock) == (clock, close_after, clock)


@pytest.mark.parametrize(
    "changed",
    [
        {"bank": -1}, {"bank": LONGEST_TIME + 1, "cap": 2 * LONGEST_TIME}, {"increment": -1},
        {"increment": LONGEST_TIME + 1}, {"cap": QUICK.bank - 1}, {"cap": 10 * LONGEST_TIME + 1},
        {"answer": 2}, {"answer": QUICK.cap + 1}, {"grace": -1}, {"grace": LONGEST_GRACE + 1},
        {"strikes": 0}, {"strikes": MOST_STRIKES + 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_clock_by_which_nobody_can_play_is_refused(changed: dict[str, int]) -> None:
    """Fieldbook, house rule: every time has a bound, and what is saved is never less than what there is at first."""
    clock = replace(QUICK, **changed)
    Given(classic_rules(), INITIAL_STATE).when(creation(clock), by=HOST).then_refused(errors.BadClock)


@pytest.mark.parametrize("close_after", [SHORTEST_CLOSE - 1, LONGEST_TIME + 1])
def test_a_game_is_not_closed_at_once_nor_after_more_than_a_year(close_after: int) -> None:
    """Fieldbook, house rule."""
    given = Given(classic_rules(), INITIAL_STATE)
    given.when(creation(None, close_after), by=HOST).then_refused(errors.BadClock)


# --- a move ------------------------------------------------------------------------------------------------


@all_games
def test_whose_time_is_over_gets_a_strike_for_the_turn(given: Giving) -> None:
    """Fieldbook, house rule: one for each turn, however often its time runs out there."""
    expiry = c.ExpireTime(0, DEADLINE)
    table = clocked(given()).when(expiry, by=CLOCK).then(e.TimeExpired(0, DEADLINE, strikes=1))
    table = table.when(expiry, by=CLOCK).then(e.TimeExpired(0, DEADLINE, strikes=1))
    next_turn = Given(table.rules, replace(table.state, turn=2))
    next_turn.when(expiry, by=CLOCK).then(e.TimeExpired(0, DEADLINE, strikes=2))


@all_games
def test_the_time_of_a_seat_that_nobody_waits_for_is_not_over(given: Giving) -> None:
    """Fieldbook, house rule: nor is there one for a seat that the table does not have."""
    clocked(given()).when(c.ExpireTime(1, DEADLINE), by=CLOCK).then_refused(errors.NothingExpired)
    beyond = c.ExpireTime(len(given.seats), DEADLINE)
    clocked(given()).when(beyond, by=CLOCK).then_refused(errors.NoSuchSeat)


@all_games
def test_a_bot_has_no_clock(given: Giving) -> None:
    """Fieldbook, house rule."""
    table = clocked(with_bot(given(), 0))
    table.when(c.ExpireTime(0, DEADLINE), by=CLOCK).then_refused(errors.NothingExpired)


@all_games
def test_no_time_is_over_while_a_dispute_holds_the_game_up(given: Giving) -> None:
    """Fieldbook, house rule: neither for a move nor for an answer."""
    table = clocked(given()).when(c.PauseGame(1, "conduct"), by=ARBITER).then_among_others()
    table.when(c.ExpireTime(0, DEADLINE), by=CLOCK).then_refused(errors.NothingExpired)
    table.when(c.ExpireTime(1, DEADLINE, 1), by=CLOCK).then_refused(errors.NothingExpired)


@all_games
def test_a_take_back_is_declined_when_the_time_of_the_seat_that_asked_is_over(given: Giving) -> None:
    """Fieldbook, house rule: that is no strike, and no time of the other seats runs."""
    then = given(hand=("blue", "blue", "chili"))
    planted = then.when(c.Plant(0)).then_among_others().after(7, then)
    table = clocked(planted).when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    table.when(c.ExpireTime(1, DEADLINE), by=CLOCK).then_refused(errors.NothingExpired)
    table = table.when(c.ExpireTime(0, DEADLINE), by=CLOCK).then(
        e.TimeExpired(0, DEADLINE), e.TakeBackDeclined(0)
    )
    assert table.state.seats[0].strikes == 0


# --- an answer ---------------------------------------------------------------------------------------------


@standard_games
def test_an_offer_that_nobody_answered_in_time_is_declined(given: Giving) -> None:
    """Fieldbook, house rule: one to a single seat is closed; one to all stays open for the others."""
    table = clocked(trading(given))
    own = table.when(c.Offer(1, revealed=(1,), want={"red": 1})).then_among_others()
    own.when(c.ExpireTime(1, DEADLINE, 1), by=CLOCK).then(
        e.TimeExpired(1, DEADLINE, 1), e.OfferDeclined(1, 1, closed=True)
    )
    everybodys = table.when(c.Offer(None, revealed=(1,), want={"red": 1})).then_among_others()
    after = everybodys.when(c.ExpireTime(1, DEADLINE, 1), by=CLOCK).then(
        e.TimeExpired(1, DEADLINE, 1), e.OfferDeclined(1, 1, closed=False)
    )
    assert after.state.offers[0].declined == (1,)
    after.when(c.ExpireTime(1, DEADLINE, 1), by=CLOCK).then_refused(errors.NothingExpired)


@standard_games
def test_only_an_offer_that_is_open_to_the_seat_expires(given: Giving) -> None:
    """Fieldbook, house rule: not one's own, not one to somebody else, and none that is not there."""
    table = clocked(trading(given)).when(c.Offer(1, revealed=(1,), want={"red": 1})).then_among_others()
    for seat, number in ((0, 1), (2, 1), (1, 2)):
        expiry = c.ExpireTime(seat, DEADLINE, number)
        table.when(expiry, by=CLOCK).then_refused(errors.NothingExpired)


# --- time given back ---------------------------------------------------------------------------------------


@all_games
@pytest.mark.parametrize("reason", REASONS)
def test_time_is_given_back_for_what_nobody_at_the_table_can_help(given: Giving, reason: str) -> None:
    """Fieldbook, house rule: the table stays as it is."""
    table = clocked(given())
    after = table.when(replace(OUTAGE, reason=reason), by=CLOCK).then(e.TimeCredited(1_000, 61_000, reason))
    assert after.state == table.state


@all_games
def test_only_a_span_with_a_reason_is_given_back(given: Giving) -> None:
    """Fieldbook, house rule."""
    for changed in ({"reason": "rain"}, {"since": 61_000}, {"since": 61_001}, {"since": -1}):
        credit = replace(OUTAGE, **changed)
        clocked(given()).when(credit, by=CLOCK).then_refused(errors.BadCredit)


# --- who, and when -----------------------------------------------------------------------------------------


@all_games
def test_without_a_clock_nothing_is_over_and_nothing_is_given_back(given: Giving) -> None:
    """Fieldbook, house rule."""
    given().when(c.ExpireTime(0, DEADLINE), by=CLOCK).then_refused(errors.NoClock)
    given().when(OUTAGE, by=CLOCK).then_refused(errors.NoClock)
    for command in (c.ExpireTime(0, DEADLINE), OUTAGE):
        with pytest.raises(errors.NoClock):
            check_time(None, CLOCK, command, DEADLINE)


@all_games
def test_only_the_clock_speaks_for_it_and_only_of_time(given: Giving) -> None:
    """Fieldbook, house rule: neither a seat nor the arbiter says when time is over; the clock plays no beans."""
    for seat in (0, 1):
        clocked(given()).when(c.ExpireTime(0, DEADLINE), by=seat).then_refused(errors.UnknownCommand)
        clocked(given()).when(OUTAGE, by=seat).then_refused(errors.UnknownCommand)
    clocked(given()).when(OUTAGE, by=ARBITER).then_refused(errors.UnknownCommand)
    clocked(given()).when(c.Plant(0), by=CLOCK).then_refused(errors.UnknownCommand)


def test_who_comes_too_late_is_refused_but_may_talk() -> None:
    """Fieldbook, house rule: from deadline and grace on, until what follows from that is recorded."""
    game = ClockedGame(1, "classic", 3)
    wait = game.clock.waits[0]
    over = game.clock.over_at(wait)
    check_time(game.clock, wait.awaited.seat, c.Plant(0), over - 1)
    check_time(game.clock, wait.awaited.seat, c.Say("Wait!"), over)
    with pytest.raises(errors.TimeOver):
        check_time(game.clock, wait.awaited.seat, c.Plant(0), over)
