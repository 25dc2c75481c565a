"""The judgement of clocks finds what it looks for: logs of games doctored in each way that would be wrong."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from events import commands as c
from events.game.clock import SECOND
from events.game.timekeeping import expiry_of
from events.rules.move import CLOCK
from tests.campaigns.timekeeping import (
    LATEST,
    Judged,
    Late,
    Look,
    Outage,
    TimeOfGame,
    Watched,
    judge,
    read_time,
)
from tests.support.clocked_games import ClockedGame

SETTINGS = c.ClockSettings(bank=60, increment=0, cap=60, answer=10, grace=2, strikes=100)
AWAY = 20 * SECOND  # how long the outage lasts


class Course:
    """A game with a clock that is played for 10 seconds, then an outage, then an expiry.

    `credited` is how much later than the outage its credit begins and ends, in milliseconds, None for no credit;
    `late` how much later than possible the expiry is recorded, None for none; `ahead` how long before the end of the
    time the outage begins, None for at once.
    """

    def __init__(
        self, credited: tuple[int, int] | None = None, late: int | None = 0, ahead: int | None = None
    ) -> None:
        self.game = ClockedGame(1, "classic", 3, SETTINGS)
        self.game.at += 10 * SECOND
        self.over = self.game.clock.over_at(self.game.clock.waits[0])
        down = self.game.at if ahead is None else self.over - ahead
        up, stops_play = down + AWAY, True
        self.outage = Outage("store killed", stops_play, down - 5, down, up, up + SECOND)
        if credited is not None:
            self.credit(*credited)
        if late is not None:
            self.expire(late)

    def credit(self, since: int, until: int) -> None:
        self.game.at = max(self.game.at, self.outage.up + until)
        span = c.CreditTime(self.outage.down + since, self.outage.up + until, "outage")
        self.game.send(CLOCK, span)

    def expire(self, late: int = 0) -> None:
        (wait,) = self.game.clock.waits
        self.game.at = self.game.clock.over_at(wait) + late
        self.game.send(CLOCK, expiry_of(wait))

    @property
    def time(self) -> TimeOfGame:
        return read_time(self.game.log)

    def judge(self, *outages: Outage, time: TimeOfGame | None = None, **watched: Any) -> Judged:
        return judge("it", time or self.time, outages, Watched(**{"until": self.game.at} | watched))


WHOLE = (-1000, 0)  # a credit of the whole outage


def test_a_log_as_it_has_to_be_is_without_findings() -> None:
    """And it was judged: a wait during an outage, one that expired, and a credit with a cause."""
    course = Course(WHOLE)
    judged = course.judge(course.outage)
    assert judged.findings == []
    assert [judged.counts[each] for each in ("exposed", "expiries", "credits", "unexplained")] == [1, 1, 1, 0]
    assert judged.counts["given back"] == AWAY
    before = replace(course.outage, since=0, down=0, up=0, whole=0)
    assert course.judge(before).counts["unexplained"] == 1


@pytest.mark.parametrize(
    ("credited", "lost"), [(None, AWAY), ((1, 0), 1), ((500, 0), 500), ((-1000, -700), 700)]
)
def test_a_seat_that_loses_time_is_found(credited: tuple[int, int] | None, lost: int) -> None:
    """To the millisecond, at the beginning of the outage and at its end; a credit after the wait is none."""
    course = Course(credited)
    (finding,) = course.judge(course.outage).findings
    assert f"seat 0 lost {lost} ms of {AWAY} ms" in finding
    if credited is None:
        course.credit(*WHOLE)
        assert len(course.judge(course.outage).findings) == 1


def test_outages_without_consequences() -> None:
    """A short one, one that is credited in two parts, and one after the end of the time."""
    course = Course()
    short = replace(course.outage, up=course.outage.down + 3 * SECOND + SECOND // 2)
    assert course.judge(short).findings == []
    course = Course((-1000, -5000), late=None)
    course.credit(AWAY - 5000, 0)
    course.expire()
    assert course.judge(course.outage).findings == []
    course = Course(late=AWAY, ahead=0)
    assert course.judge(course.outage).findings == []


@pytest.mark.parametrize(("stops_play", "lost"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("ahead", [SECOND, 3 * SECOND, 3 * SECOND + 1])
def test_a_seat_that_could_act_while_no_clock_was_watched_has_lost_nothing(
    ahead: int, lost: int, *, stops_play: bool
) -> None:
    """As long as that was not known yet; where no command was accepted, the log cannot be right."""
    course = Course(ahead=ahead)
    first = replace(course.time, waits=course.time.waits[:1])
    judged = course.judge(replace(course.outage, stops_play=stops_play), time=first)
    assert len(judged.findings) == (lost or ahead > 3 * SECOND)


@pytest.mark.parametrize("late", [0, 1])
def test_a_late_or_missed_expiry_is_found(late: int) -> None:
    """Later than five seconds after the time is over, or after everything works again."""
    course = Course(late=LATEST + late)
    judged = course.judge()
    assert (len(judged.findings), judged.latest) == (late, LATEST + late)
    never = Course(late=None)
    assert len(never.judge(until=never.over + LATEST + late).findings) == late
    course = Course(late=AWAY + SECOND + 100 + LATEST + late, ahead=-100)
    assert len(course.judge(course.outage).findings) == late
    course = Course()
    version = course.time.expiries[0].version
    looks = [Look(course.over + LATEST + late, version - 1), Look(course.over + 60 * SECOND, version)]
    assert len(course.judge(looks=looks).findings) == late


def test_expiries_that_are_early_repeated_or_of_nothing_are_found() -> None:
    """By a millisecond; of the same deadline; of one that was not awaited."""
    course = Course()
    (expiry,) = course.time.expiries
    again, early = expiry._replace(version=expiry.version + 9), expiry._replace(at=expiry.at - 1)
    strange = expiry._replace(name=(0, None, 1))

    def findings(expiries: Sequence[Any]) -> str:
        return " ".join(course.judge(time=replace(course.time, expiries=tuple(expiries))).findings)

    assert "expired 2 times" in findings([expiry, again])
    assert "1 ms too early" in findings([early])
    assert "no seat was waited for" in findings([strange])


def test_a_refusal_as_too_late_that_the_log_does_not_explain_is_found() -> None:
    """The log must have the expiry of that seat, in time, and by the version of the answer."""
    course = Course()
    (expiry,) = course.time.expiries
    right = Late(0, expiry.at, expiry.version)
    wrong = [right._replace(seat=1), right._replace(version=expiry.version - 1)]
    wrong.append(right._replace(sent=expiry.at + LATEST + 1))
    assert [len(course.judge(late=[each]).findings) for each in (right, *wrong)] == [0, 1, 1, 1]


def test_an_offer_that_expires_is_one_expiry() -> None:
    """The wait ends with the entry behind the expiry, which declines the offer."""
    game = ClockedGame(3, "classic", 3, SETTINGS)
    while not (offers := [each for each in game.clock.waits if each.awaited.offer is not None]):
        game._step(frozenset())  # noqa: SLF001 - one step of the random game
    wait = offers[0]
    game.at = game.clock.over_at(wait)
    game.send(CLOCK, expiry_of(wait))
    judged = judge("it", read_time(game.log), (), Watched(game.at))
    assert judged.findings == []
    assert judged.counts["expiries"] >= 1
