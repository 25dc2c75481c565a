"""The clock in examples with numbers: banks, answers, pauses, going back, and time that is given back."""

from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from msgspec.structs import replace as changed

from events import commands as c
from events import domain_events as e
from events.game.clock import Awaited, Clock, awaited_in, begin_clock
from events.rules.table.state import GameState, OpenOffer, Seat, TakeBack
from tests.support.clocked_games import QUICK

BEGUN: Final = 1_000_000
"""When the games here begin, in seconds."""
TABLE: Final = GameState(
    status="running", turn=1, active=0, phase="plant", seats=tuple(Seat(kind="human") for _ in range(3))
)
CREATED: Final = e.GameCreated("g", "classic", 1, 1, 3, {}, "", "", clock=QUICK)


@dataclass(frozen=True)
class Timed:
    """A table and its clock. QUICK: a bank of 60 seconds, 5 more for a turn, 90 at most, 10 for an answer."""

    table: GameState
    clock: Clock
    at: int = 0

    def then(self, at: int, event: e.DomainEvent | None = None, **table: Any) -> "Timed":
        """The game so many seconds after its beginning, when this has happened and the table is different."""
        after = changed(self.table, **table)
        moment = (BEGUN + at) * 1000
        return replace(
            self, table=after, clock=self.clock.after(moment, event or e.CardsDrawn(0, ()), after), at=at
        )

    @property
    def left(self) -> list[float]:
        """Seconds that each seat has now."""
        return [self.clock.left(seat, (BEGUN + self.at) * 1000) / 1000 for seat in range(3)]

    @property
    def running(self) -> dict[Awaited, float]:
        """What runs, and the second in which it is over."""
        return {each.awaited: each.deadline / 1000 - BEGUN for each in self.clock.waits}


def bank(seat: int) -> Awaited:
    """A seat's own time."""
    return Awaited(seat, kind="bank")


def begun(settings: c.ClockSettings = QUICK, **table: Any) -> Timed:
    """A game whose first turn has just begun."""
    clock = begin_clock(changed(CREATED, clock=settings))
    assert clock is not None
    return Timed(TABLE, clock).then(0, **table)


def offer(number: int, seat: int, to: int | None, counters: int | None = None) -> OpenOffer:
    """An open offer."""
    return OpenOffer(number, seat, to, (), ("blue",), (), {"red": 1}, (), counters)


# --- banks -------------------------------------------------------------------------------------------------


def test_a_game_without_a_clock_has_none() -> None:
    """No time runs, and nobody is late."""
    assert begin_clock(changed(CREATED, clock=None)) is None


def test_everybody_begins_with_a_bank_and_the_active_players_runs() -> None:
    """It is over when the bank is used up, and what is left is said to the millisecond."""
    game = begun()
    assert (game.left, game.running) == ([60, 60, 60], {bank(0): 60})
    assert replace(game, at=25).left == [35, 60, 60]
    assert replace(game, at=99).left == [0, 60, 60]


def test_a_bank_runs_through_all_moves_of_a_turn() -> None:
    """A command does not wind it up."""
    game = begun().then(10, phase="trade").then(30, phase="draw")
    assert (game.left, game.running) == ([30, 60, 60], {bank(0): 60})


def test_who_ends_a_turn_gets_the_increment_but_never_saves_more_than_the_cap() -> None:
    """60 - 20 + 5 = 45 seconds; and 89 + 5 are 90."""
    assert begun().then(20, turn=2, active=1).left == [45, 60, 60]
    rich = begun(changed(QUICK, bank=89)).then(0, turn=2, active=1)
    assert (rich.left, rich.running) == ([90, 89, 89], {bank(1): 89})


def test_each_turn_has_the_time_for_an_answer_at_least() -> None:
    """Who has used up all but 2 seconds and gets 5 has 10 in the next turn of their own."""
    game = begun().then(58, turn=2, active=1).then(60, turn=3, active=2)
    assert game.left == [7, 63, 60]
    again = game.then(61, turn=4, active=0)
    assert (again.left, again.running) == ([10, 63, 64], {bank(0): 71})


def test_whose_bank_was_over_has_the_time_for_an_answer_from_then_on() -> None:
    """Recorded at 63 seconds, 3 after the deadline: what is next in the turn is due at 73."""
    late = begun().then(63, e.TimeExpired(0, (BEGUN + 60) * 1000, strikes=1), phase="trade")
    assert (late.left, late.running) == ([10, 60, 60], {bank(0): 73})


def test_a_bot_has_no_clock() -> None:
    """Neither in its own turn nor where everybody is waited for."""
    bots = (changed(TABLE.seats[0], kind="bot"), *TABLE.seats[1:])
    assert begun(seats=bots).running == {}
    seats = tuple(changed(seat, aside=((1, "blue"),)) for seat in bots)
    assert begun(seats=seats, phase="plant_aside").running == {Awaited(1): 10, Awaited(2): 10}


# --- answers -----------------------------------------------------------------------------------------------


def test_nobodys_bank_runs_while_an_answer_is_due() -> None:
    """Asked at 20, declined at 26: the active player has 40 seconds before and after."""
    asked = begun(phase="trade").then(20, offers=(offer(1, 0, 1),))
    assert asked.running == {Awaited(1, 1): 30}
    assert replace(asked, at=26).left == [40, 60, 60]
    declined = asked.then(26, offers=())
    assert (declined.left, declined.running) == ([40, 60, 60], {bank(0): 66})


def test_answers_begin_together_and_end_one_by_one() -> None:
    """An offer to all: each has 10 seconds from the same moment, for another offer made meanwhile as well."""
    first = offer(1, 0, None)
    asked = begun(phase="trade").then(20, offers=(first,))
    assert asked.running == {Awaited(1, 1): 30, Awaited(2, 1): 30}
    more = asked.then(24, offers=(first, offer(2, 0, 2)))
    assert more.running == {Awaited(1, 1): 30, Awaited(2, 1): 30, Awaited(2, 2): 30}
    fewer = more.then(25, offers=(changed(first, declined=(1,)), offer(2, 0, 2)))
    assert fewer.running == {Awaited(2, 1): 30, Awaited(2, 2): 30}


def test_another_offer_in_the_same_turn_restarts_no_time() -> None:
    """Withdrawn after 6 of 10 seconds and offered again: 4 are left, and 10 again in the next turn."""
    asked = begun(phase="trade").then(20, offers=(offer(1, 0, 1),))
    again = asked.then(26, offers=()).then(27, offers=(offer(2, 0, 1),))
    assert again.running == {Awaited(1, 2): 31}
    later = again.then(28, offers=(), turn=2, active=2).then(30, offers=(offer(3, 2, 1),))
    assert later.running == {Awaited(1, 3): 40}


def test_the_bank_runs_once_a_seat_has_used_up_its_time_for_offers() -> None:
    """A silent seat costs the others 10 seconds in a turn, however many offers are made to it."""
    asked = begun(phase="trade").then(20, offers=(offer(1, 0, 1),))
    over = asked.then(32, e.TimeExpired(1, (BEGUN + 30) * 1000, 1)).then(32, offers=())
    assert over.running == {bank(0): 72}
    assert over.then(33, offers=(offer(2, 0, 1),)).running == {bank(0): 72}
    assert over.then(33, offers=(offer(2, 0, None),)).running == {Awaited(2, 2): 43}


def test_all_offers_to_a_seat_expire_when_its_time_for_them_is_over() -> None:
    """The second one was made at 24; each is recorded by itself, and the bank runs after the last."""
    first, second = offer(1, 0, 1), offer(2, 0, 1)
    both = begun(phase="trade").then(20, offers=(first,)).then(24, offers=(first, second))
    one = both.then(32, e.TimeExpired(1, (BEGUN + 30) * 1000, 1)).then(32, offers=(second,))
    assert one.running == {Awaited(1, 2): 30}
    assert one.then(32, e.TimeExpired(1, (BEGUN + 30) * 1000, 2)).then(32, offers=()).running == {bank(0): 72}


def test_a_seat_that_is_ready_is_not_waited_for() -> None:
    """The bank runs while an offer to it is open; who takes that back has the rest of the time."""
    asked = begun(phase="trade").then(20, offers=(offer(1, 0, 1),))
    ready = asked.then(26, ready=(1,))
    assert ready.running == {bank(0): 66}
    assert ready.then(28, ready=()).running == {Awaited(1, 1): 32}


def test_the_bank_of_the_seat_that_asks_to_go_back_runs() -> None:
    """The active player's bank runs on; for another seat it stops, and that seat's bank runs meanwhile."""
    own = begun().then(20, take_back=TakeBack(0, 7, (0,)))
    assert own.running == {bank(0): 60}
    assert own.then(24, take_back=TakeBack(0, 7, (0, 1))).running == {bank(0): 60}
    other = begun().then(20, take_back=TakeBack(1, 7, (1,)))
    assert other.running == {bank(1): 80}
    declined = other.then(26, take_back=None)
    assert (declined.left, declined.running) == ([40, 54, 60], {bank(0): 66})


def test_a_late_move_stays_late_behind_a_question() -> None:
    """The bank is over at 60: the expiry closes the question, and the same time is over for the move."""
    asked = begun().then(50, take_back=TakeBack(0, 7, (0,)))
    expiry = e.TimeExpired(0, (BEGUN + 60) * 1000)
    declined = asked.then(62, expiry).then(62, e.TakeBackDeclined(0), take_back=None)
    assert declined.running == {bank(0): 60}
    assert declined.then(62, changed(expiry, strikes=1)).running == {bank(0): 72}


def test_the_grace_is_granted_once() -> None:
    """The bank is over at 60: asked at 61 and declined at 63, one of two seconds is left, until 64."""
    late = begun().then(61, take_back=TakeBack(1, 7, (1,)))
    assert (late.left, late.running) == ([0, 60, 60], {bank(1): 121})
    again = late.then(63, take_back=None)
    (wait,) = again.clock.waits
    assert (again.running, again.clock.over_at(wait)) == ({bank(0): 62}, (BEGUN + 64) * 1000)
    assert (wait.low_at, again.clock.as_json()["banks"]) == (wait.deadline, [0, 58_000, 60_000])


def test_a_seat_without_time_cannot_hold_the_game_up_with_a_question() -> None:
    """Its question is over at once, whenever it asks again in the turn of another player."""
    asked = begun(changed(QUICK, bank=15)).then(0, take_back=TakeBack(1, 7, (1,)))
    declined = asked.then(17, e.TimeExpired(1, (BEGUN + 15) * 1000)).then(17, take_back=None)
    assert declined.running == {bank(0): 32}
    again = declined.then(20, take_back=TakeBack(1, 7, (1,)))
    (wait,) = again.clock.waits
    assert (again.running, again.clock.over_at(wait)) == ({bank(1): 18}, (BEGUN + 20) * 1000)


def test_what_is_offered_to_the_active_player_is_answered_in_their_own_time() -> None:
    """Their bank runs on: nobody can stop it by making offers."""
    assert begun(phase="trade").then(20, offers=(offer(1, 2, 0),)).running == {bank(0): 60}


def test_who_counters_has_answered() -> None:
    """An offer to all that seat 1 counters: only seat 2 has to answer; then the active player thinks about it.

    Without the counter-offer seat 1 has what was left of its time.
    """
    to_all, counter = offer(1, 0, None), offer(2, 1, 0, counters=1)
    countered = begun(phase="trade").then(20, offers=(to_all,)).then(23, offers=(to_all, counter))
    assert countered.running == {Awaited(2, 1): 30}
    declined = countered.then(25, offers=(changed(to_all, declined=(2,)), counter))
    assert declined.running == {bank(0): 65}
    refused = declined.then(31, offers=(changed(to_all, declined=(2,)),))
    assert refused.running == {Awaited(1, 1): 38}


def test_who_plants_beside_others_has_the_time_for_an_answer() -> None:
    """Everybody from the same moment on, the active player, too; nobody's bank runs."""
    seats = tuple(changed(seat, aside=((1, "blue"),)) for seat in TABLE.seats[:2])
    game = begun().then(12, phase="plant_aside", seats=(*seats, TABLE.seats[2]))
    assert game.running == {Awaited(0): 22, Awaited(1): 22}
    assert game.left == [48, 60, 60]


def planting(turn: int = 1) -> dict[str, Any]:
    """Return the changes after which seats 0 and 1 plant cards that lie aside."""
    seats = tuple(changed(seat, aside=((1, "blue"),)) for seat in TABLE.seats[:2])
    return {"turn": turn, "phase": "plant_aside", "seats": (*seats, TABLE.seats[2])}


@pytest.mark.parametrize("held_up", [{"take_back": TakeBack(1, 7, (1,))}, {"paused_by": (1,)}], ids=str)
def test_no_interruption_restarts_the_answers_of_a_phase(held_up: dict[str, Any]) -> None:
    """Interrupted after 9 of 10 seconds, one is left; in the next phase or turn there are 10 again."""
    over: dict[str, Any] = {"take_back": None, "paused_by": ()}
    game = begun().then(10, **planting()).then(19, **held_up)
    again = game.then(30, **over)
    assert again.running == {Awaited(0): 31, Awaited(1): 31}
    late = again.then(32, **held_up).then(40, **over)
    assert late.running == {Awaited(0): 39, Awaited(1): 39}
    assert late.then(41, phase="bonus").then(42, **planting()).running == {Awaited(0): 52, Awaited(1): 52}
    assert late.then(41, **planting(turn=2)).running == {Awaited(0): 51, Awaited(1): 51}


def test_answers_restart_after_an_expiry_and_where_the_game_goes_back() -> None:
    """The seat that was late has 10 seconds more; after going back within the phase all have."""
    game = begun().then(10, **planting())
    late = game.then(22, e.TimeExpired(1, (BEGUN + 20) * 1000, strikes=1))
    assert late.running == {Awaited(0): 20, Awaited(1): 32}
    assert game.then(19, e.GameRewound(7, 1)).running == {Awaited(0): 29, Awaited(1): 29}


# --- pauses, and going back --------------------------------------------------------------------------------


def test_a_dispute_stops_all_clocks_and_they_go_on_with_what_was_left() -> None:
    """Paused at 20 and resumed at 500: the bank is over at 540, and an answer has the second that was left."""
    paused = begun().then(20, paused_by=(1,))
    assert (paused.running, replace(paused, at=400).left) == ({}, [40, 60, 60])
    assert paused.then(500, paused_by=()).running == {bank(0): 540}
    asked = begun(phase="trade").then(20, offers=(offer(1, 0, 1),)).then(29, paused_by=(1,))
    assert asked.then(500, paused_by=()).running == {Awaited(1, 1): 501}


def test_where_the_game_goes_back_time_does_not() -> None:
    """In the same turn it goes on with what was left; an earlier one has the time for an answer at least."""
    same = begun().then(50, e.GameRewound(7, 1))
    assert (same.left, same.running) == ([10, 60, 60], {bank(0): 60})
    on = begun().then(58, turn=2, active=1).then(60)
    earlier = on.then(61, e.GameRewound(7, 1), turn=1, active=0)
    assert (earlier.left, earlier.running) == ([10, 57, 60], {bank(0): 71})


def test_a_finished_game_waits_for_nobody() -> None:
    """What was left stays on record."""
    over = begun().then(20, status="finished")
    assert (over.running, over.left) == ({}, [40, 60, 60])


def test_nothing_is_waited_for_before_the_dealer_has_acted() -> None:
    """What begins then begins when the step is done."""
    assert begun(due=e.DealerCalled("shuffle")).running == {}


# --- time given back ---------------------------------------------------------------------------------------


def credit(since: int, until: int) -> e.TimeCredited:
    """Time given back, in seconds after the beginning."""
    return e.TimeCredited((BEGUN + since) * 1000, (BEGUN + until) * 1000, "outage")


@pytest.mark.parametrize(
    ("since", "until", "deadline"), [(25, 45, 80), (-100, 15, 75), (-100, -50, 60), (0, 40, 100)]
)
def test_what_is_given_back_moves_the_deadline(since: int, until: int, deadline: int) -> None:
    """Only by as much as was lost of this wait: what passed before it began is not its time."""
    assert begun().then(50, credit(since, until)).running == {bank(0): deadline}


def test_what_was_given_back_is_left() -> None:
    """Of 50 seconds 20 do not count, so that 30 are left; never more than there was."""
    assert begun().then(50, credit(20, 40)).left == [30, 60, 60]
    assert begun().then(50, credit(-90, 50)).left == [60, 60, 60]


def test_two_outages_are_given_back_each_but_what_they_share_once() -> None:
    """From 10 to 20 and from 15 to 30 are 20 seconds; an older span adds nothing."""
    twice = begun().then(30, credit(10, 20)).then(31, credit(15, 30))
    assert twice.running == {bank(0): 80}
    assert twice.clock.credited_until == (BEGUN + 30) * 1000
    assert twice.then(32, credit(5, 12)) == replace(twice, at=32)


def test_an_outage_counts_for_every_answer_by_when_it_began() -> None:
    """One was asked before it and one while it lasted."""
    first = offer(1, 0, 1)
    asked = begun(phase="trade").then(20, offers=(first,)).then(26, offers=(first, offer(2, 0, 2)))
    assert asked.then(28, credit(22, 28)).running == {Awaited(1, 1): 36, Awaited(2, 2): 38}


def test_the_grace_is_behind_the_deadline() -> None:
    """Over at 60, recorded from 62 on."""
    game = begun()
    assert game.clock.over_at(game.clock.waits[0]) == (BEGUN + 62) * 1000


@pytest.mark.parametrize(("bank_of", "low"), [(60, 48), (64, 51.2), (1, 0.8)])
def test_time_is_low_when_a_fifth_of_what_there_was_is_left(bank_of: int, low: float) -> None:
    """Of the wait, not of the bank at the beginning of the game; to the millisecond."""
    (wait,) = begun(changed(QUICK, bank=bank_of, answer=1)).clock.waits
    assert wait.low_at == BEGUN * 1000 + low * 1000


def test_what_is_given_back_moves_the_moment_as_it_moves_the_deadline() -> None:
    """A fifth is that of what there was at the beginning: time that counts for nobody makes it no longer."""
    (wait,) = begun().then(50, credit(20, 40)).clock.waits
    assert (wait.deadline - wait.low_at, wait.low_at) == (12_000, (BEGUN + 68) * 1000)


def test_what_a_table_waits_for_is_said_in_the_order_of_offers_and_seats() -> None:
    """So that every reader has the same list."""
    table = changed(TABLE, phase="trade", offers=(offer(1, 0, 2), offer(2, 0, None)))
    assert [*awaited_in(table, (1, 1, 1))] == [Awaited(2, 1), Awaited(1, 2), Awaited(2, 2)]
