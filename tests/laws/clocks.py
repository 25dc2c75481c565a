"""Laws about time, over the moments of a game that is played by a clock."""

from collections.abc import Callable, Sequence
from typing import Final

from events import commands as c
from events import domain_events as e
from events.game.clock import SECOND
from events.game.timekeeping import find_over
from events.log.codec import decode_command
from events.rules.table.absence import is_person
from events.rules.table.waiting import is_held_up, waiting_for
from service.play.timekeeping import closes_at, next_moment
from service.storage.life_marks import Gap
from tests.laws.moments import Moment

Moments = Sequence[Moment]
NEVER_FORCED: Final = (
    c.TAKE_BACKS,
    c.LEAVING,
    c.BuyField,
    c.Say,
    c.Offer,
    c.Counter,
    c.Accept,
    c.Decline,
    c.Withdraw,
    c.Ready,
)
"""What the clock's bot decides for nobody: to leave, to end or take back a game, to trade, to buy, to talk."""


def time_expires_once_and_not_before_its_deadline_and_grace(moments: Moments) -> None:
    """Each expiry names a wait that ran until then, and none is named twice."""
    seen = set()
    for entry, event, _, facts, _, _ in moments:
        if not isinstance(event, e.TimeExpired):
            continue
        assert facts.clock is not None
        wait = facts.clock.wait_for(event.seat, event.offer)
        assert wait is not None
        assert event.deadline == wait.deadline <= entry.at - facts.clock.settings.grace * SECOND
        assert (event, wait.since) not in seen
        seen.add((event, wait.since))


def nobody_acts_whose_time_is_over(moments: Moments) -> None:
    """What a seat sends was in time; moves that the clock forces stand behind the expiry, at its moment."""
    forced, expired_at = -1, -1
    for entry, _, _, facts, _, _ in moments:
        if not entry.command or facts.clock is None:
            continue
        command = decode_command(entry.command)
        if entry.actor == "clock":
            forced = command.seat if isinstance(command, c.ExpireTime) else -1
            expired_at = entry.at
        elif entry.actor.startswith("seat:") and not isinstance(command, c.Say):
            seat = int(entry.actor.removeprefix("seat:"))
            is_forced = (seat, entry.at) == (forced, expired_at)
            assert is_forced or find_over(facts.clock, entry.at, seat) is None


def a_bank_runs_for_its_own_turn_and_nobody_elses_slowness(moments: Moments) -> None:
    """While a bank runs nothing else does; it is that of the active player, or of the seat that asks to go back.

    No seat saves more than the cap.
    """
    for moment in moments:
        clock = moment.facts_after.clock
        if clock is None or moment.after.due is not None:
            continue
        most = max(clock.settings.cap, clock.settings.bank) * SECOND
        assert all(left <= most for left in clock.banks)
        if any(wait.awaited.kind == "bank" for wait in clock.waits):
            asked = moment.after.take_back
            runs = moment.after.active if asked is None else asked.seat
            assert [wait.awaited.seat for wait in clock.waits] == [runs]


def no_seat_has_more_time_for_all_answers_in_a_phase_than_for_one(moments: Moments) -> None:
    """Whatever is offered, countered and withdrawn: what each answer takes is taken from the same time."""
    for moment in moments:
        clock = moment.facts_after.clock
        if clock is not None:
            most = clock.settings.answer * SECOND
            assert all(left <= most for left in clock.answers)
            ready = set(moment.after.ready) if moment.after.due is None else set()
            assert not ready & {wait.awaited.seat for wait in clock.waits if wait.awaited.offer is not None}


def only_a_turn_a_phase_or_an_expiry_adds_time(moments: Moments) -> None:
    """Offers, open take-backs and pauses only use up what a seat has left in a phase."""
    for moment in moments:
        before, after = moment.facts.clock, moment.facts_after.clock
        if before is None or after is None or isinstance(moment.event, e.TimeExpired | e.GameRewound):
            continue
        if (before.turn, before.phase) == (after.turn, after.phase):
            assert all(now <= then for now, then in zip(after.banks, before.banks, strict=True))
            assert all(now <= then for now, then in zip(after.answers, before.answers, strict=True))


def whoever_is_waited_for_has_a_deadline_unless_it_is_a_bot(moments: Moments) -> None:
    """Between any two commands: every seat that the game waits for, or in trading whoever owes it an answer.

    Their time begins with the entry that made it so, for all of them alike; for one more offer it is the time that a
    seat has for the offers before.
    """
    for entry, _, state, facts, _, facts_after in moments:
        if facts.clock is None or facts_after.clock is None:
            continue
        running = {wait.awaited for wait in facts.clock.waits}
        begun = [wait for wait in facts_after.clock.waits if wait.awaited not in running]
        answering = {each.awaited.seat: each for each in facts.clock.waits if each.awaited.offer is not None}
        for wait in begun:
            earlier = None if wait.awaited.offer is None else answering.get(wait.awaited.seat)
            expected = (entry.at, 0) if earlier is None else (earlier.since, earlier.credited)
            assert (wait.since, wait.credited) == expected
        if not entry.command or is_held_up(state):
            continue
        seats = {each.seat for each in running}
        awaited = {seat for seat in waiting_for(state) if state.seats[seat].kind != "bot"}
        assert awaited <= seats or any(each.offer is not None for each in running)
        assert all(state.seats[seat].kind != "bot" for seat in seats)


def after_an_expiry_the_phase_does_not_wait_for_that_seat(moments: Moments) -> None:
    """Its bot has made the moves that were due, in the same step."""
    for place, (entry, event, before, _, _, _) in enumerate(moments):
        is_move = isinstance(event, e.TimeExpired) and event.offer is None and before.take_back is None
        if not isinstance(event, e.TimeExpired) or not is_move:
            continue
        later = next((each for each in moments[place + 1 :] if each.entry.at != entry.at), None)
        if later is not None and later.before.status == "running":
            moved_on = (later.before.turn, later.before.phase) != (before.turn, before.phase)
            assert moved_on or event.seat not in waiting_for(later.before)


def the_clocks_bot_makes_moves_and_decides_nothing_else(moments: Moments) -> None:
    """It does not leave, end or take back a game, trade, or buy for whoever is silent."""
    expired_at = -1
    for moment in moments:
        entry = moment.entry
        if entry.type == "time_expired":
            expired_at = entry.at
        elif entry.command and entry.actor.startswith("seat:") and entry.at == expired_at:
            assert not isinstance(decode_command(entry.command), NEVER_FORCED)


def a_bot_takes_over_after_so_many_strikes(moments: Moments) -> None:
    """At the very expiry that makes them so many, and at no other; the seat has no clock then."""
    for place, (_, event, _, facts, _, _) in enumerate(moments):
        if not isinstance(event, e.TimeExpired):
            continue
        assert facts.clock is not None
        following = moments[place + 1].event if place + 1 < len(moments) else None
        follows = isinstance(following, e.SeatTakenOver) and following.reason == "time"
        assert follows == (event.strikes >= facts.clock.settings.strikes)
        if follows:
            clock = moments[place + 1].facts_after.clock
            assert clock is not None
            assert clock.wait_for(event.seat) is None


def no_game_goes_on_without_people(moments: Moments) -> None:
    """Where everybody has left, or was replaced, nobody would be waited for: it ends at once."""
    for place, moment in enumerate(moments):
        is_whole = place + 1 == len(moments) or moments[place + 1].entry.command
        if is_whole and moment.after.status == "running":
            assert any(map(is_person, moment.after.seats))


def time_is_given_back_once_it_has_passed(moments: Moments) -> None:
    """No span is given back twice, and none that is yet to come."""
    until = 0
    for moment in moments:
        if isinstance(moment.event, e.TimeCredited):
            assert until <= moment.event.since < moment.event.until <= moment.entry.at
            until = moment.event.until


def somebody_looks_at_the_game_when_the_first_thing_is_over(moments: Moments) -> None:
    """The moment by which whoever watches the time finds a game is that of its first deadline, or of its closing."""
    for moment in moments:
        clock = moment.facts_after.clock
        over = [clock.over_at(wait) for wait in clock.waits] if clock is not None else []
        closing = closes_at(moment.facts_after, moment.after)
        found = next_moment(moment.facts_after, moment.after)
        assert found == min((*over, *((closing,) if closing is not None else ())), default=None)
        if moment.after.status == "running" and moment.after.due is None:
            assert found is not None or moment.after.paused_by


def nobody_loses_time_by_an_outage(moments: Moments, gaps: Sequence[tuple[int, Gap]]) -> None:
    """Whoever acts has in the bank what was there before; no time is over that lay in a gap or in the settling.

    Args:
        moments: of the whole game.
        gaps: when the service was back after each, and the gap with its time for settling.
    """
    away = [(gap.since, back) for back, gap in gaps]
    settling = [(gap.since, gap.until) for _, gap in gaps]
    for entry, event, _, facts, _, _ in moments:
        if facts.clock is None or not entry.command:
            continue
        for wait in facts.clock.waits:
            lost = covered(settling, wait.since, entry.at)
            if isinstance(event, e.TimeExpired) and (wait.awaited.seat, wait.awaited.offer) == (
                event.seat,
                event.offer,
            ):
                assert wait.credited == lost
            elif entry.actor != "clock":
                assert covered(away, wait.since, entry.at) <= wait.credited <= lost


def covered(spans: Sequence[tuple[int, int]], since: int, until: int) -> int:
    """How much of the time between two moments lies in any of these spans, which begin one after the other."""
    found, reached = 0, since
    for span in spans:
        begin, end = max(span[0], reached), min(span[1], until)
        if begin < end:
            found, reached = found + end - begin, end
    return found


TIME_LAWS: tuple[Callable[[Moments], None], ...] = (
    time_expires_once_and_not_before_its_deadline_and_grace,
    nobody_acts_whose_time_is_over,
    a_bank_runs_for_its_own_turn_and_nobody_elses_slowness,
    no_seat_has_more_time_for_all_answers_in_a_phase_than_for_one,
    only_a_turn_a_phase_or_an_expiry_adds_time,
    whoever_is_waited_for_has_a_deadline_unless_it_is_a_bot,
    after_an_expiry_the_phase_does_not_wait_for_that_seat,
    the_clocks_bot_makes_moves_and_decides_nothing_else,
    a_bot_takes_over_after_so_many_strikes,
    no_game_goes_on_without_people,
    time_is_given_back_once_it_has_passed,
    somebody_looks_at_the_game_when_the_first_thing_is_over,
)
"""What a whole game by the clock keeps, whatever is done in it."""
