"""The judgement finds what it looks for: logs of games by the clock, doctored in each way that would be wrong."""

from dataclasses import replace

import pytest

from events import commands as c
from events.game.clock import SECOND
from events.game.timekeeping import expiry_of
from events.rules.move import CLOCK
from tests.faults.clocks.judging import LATEST, Judged, judge
from tests.faults.clocks.outages import Outage
from tests.faults.clocks.waits import TimeOfGame, read_time
from tests.faults.clocks.watched import Late, Look, Watched
from tests.support.clocked_games import ClockedGame

SETTINGS = c.ClockSettings(bank=60, increment=0, cap=60, answer=10, grace=2, strikes=100)
AWAY = 20 * SECOND
"""How long the outage lasts."""


class Course:
    """A game by the clock, with an outage whose beginning the log knows to the millisecond."""

    def __init__(self) -> None:
        """Begin, and play for 10 seconds."""
        self.game = ClockedGame(1, "classic", 3, SETTINGS)
        self.game.at += 10 * SECOND
        self.down = self.game.at
        self.outages: tuple[Outage, ...] = ()

    @property
    def outage(self) -> Outage:
        """What the campaign notes of it; everything works again a second after it."""
        up = self.down + AWAY
        return Outage(
            "store killed", stops_play=True, since=self.down - 5, down=self.down, up=up, whole=up + SECOND
        )

    def be_away(self, credited: tuple[int, int] | None = (-1000, 0)) -> None:
        """The outage; what is given back begins and ends so many milliseconds beside it."""
        self.game.at = self.outage.up
        self.outages = (self.outage,)
        if credited is not None:
            since, until = self.down + credited[0], self.game.at + credited[1]
            self.game.at = max(self.game.at, until)
            self.game.send(CLOCK, c.CreditTime(since, until, "outage"))

    def expire(self, late: int = 0) -> None:
        """The time of whoever is waited for is over, and that is recorded so many milliseconds later."""
        clock = self.game.clock
        (wait,) = clock.waits
        self.game.at = clock.over_at(wait) + late
        self.game.send(CLOCK, expiry_of(wait))

    def judge(self, watched: Watched | None = None, *outages: Outage) -> Judged:
        """What is judged of it."""
        seen = watched or Watched(self.game.at)
        return judge("it", self.time, outages or self.outages, seen)

    @property
    def time(self) -> TimeOfGame:
        """What its log says."""
        return read_time(self.game.log)


def test_a_log_as_it_has_to_be_is_without_findings() -> None:
    """And it was looked at: a wait that an outage lay in, and one that expired."""
    course = Course()
    course.be_away()
    course.expire()
    judged = course.judge()
    assert judged.findings == []
    assert (judged.exposed, judged.expiries, judged.credits, judged.unexplained) == (1, 1, 1, 0)
    assert judged.given_back == AWAY


@pytest.mark.parametrize(
    ("credited", "lost"),
    [(None, AWAY), ((1, 0), 1), ((500, 0), 500), ((-1000, -700), 700)],
    ids=["nothing", "one-millisecond", "late", "early"],
)
def test_a_seat_that_loses_time_is_found(credited: tuple[int, int] | None, lost: int) -> None:
    """To the millisecond, at the beginning of the outage and at its end."""
    course = Course()
    course.be_away(credited)
    course.expire()
    (finding,) = course.judge().findings
    assert f"seat 0 lost {lost} ms of {AWAY} ms" in finding


def test_a_credit_that_comes_after_the_wait_has_ended_is_none() -> None:
    """Whoever acted, or was expired, before has paid."""
    course = Course()
    course.be_away(None)
    course.expire()
    course.game.send(CLOCK, c.CreditTime(course.down - 1000, course.outage.up, "outage"))
    assert len(course.judge().findings) == 1


def test_a_short_outage_costs_nobody_anything() -> None:
    """Nor does one that the log has given back in two parts."""
    course = Course()
    course.be_away(None)
    course.expire()
    short = replace(course.outage, up=course.down + 3 * SECOND + SECOND // 2)
    assert course.judge(None, short).findings == []
    course = Course()
    course.be_away((-1000, -5000))
    course.game.send(CLOCK, c.CreditTime(course.outage.up - 5000, course.game.at, "outage"))
    course.expire()
    assert course.judge().findings == []


def test_what_was_over_before_the_outage_loses_nothing_by_it() -> None:
    """It is recorded when the service is back."""
    course = Course()
    course.down = course.game.clock.over_at(course.game.clock.waits[0])
    course.be_away(None)
    course.expire(late=AWAY)
    assert course.judge().findings == []


@pytest.mark.parametrize(("stops_play", "lost"), [(True, 1), (False, 0)])
@pytest.mark.parametrize("after", [SECOND, 3 * SECOND, 3 * SECOND + 1])
def test_who_could_act_while_only_nobody_watched_has_lost_nothing(
    after: int, lost: int, *, stops_play: bool
) -> None:
    """As long as that was not known yet; where nobody could play, the log cannot be right."""
    course = Course()
    over = course.game.clock.over_at(course.game.clock.waits[0])
    course.down = over - after
    course.expire()
    outage = replace(course.outage, stops_play=stops_play)
    first = replace(course.time, waits=course.time.waits[:1])
    judged = judge("it", first, (outage,), Watched(course.game.at))
    assert len(judged.findings) == (lost or after > 3 * SECOND)


def test_an_expiry_that_is_missed_is_found() -> None:
    """Five seconds after the deadline and the grace; and where it never came."""
    course = Course()
    course.expire(late=LATEST)
    assert course.judge().findings == []
    assert course.judge().latest == LATEST
    course = Course()
    course.expire(late=LATEST + 1)
    assert len(course.judge().findings) == 1
    course = Course()
    over = course.game.clock.over_at(course.game.clock.waits[0])
    assert course.judge(Watched(over + LATEST)).findings == []
    assert len(course.judge(Watched(over + LATEST + 1)).findings) == 1


def test_an_expiry_may_wait_for_the_service_but_no_longer() -> None:
    """Five seconds from the moment at which everything worked again."""
    for late, findings in ((0, 0), (1, 1)):
        course = Course()
        over = course.game.clock.over_at(course.game.clock.waits[0])
        course.down = over + 100
        course.outages = (course.outage,)
        course.expire(late=course.outage.whole + LATEST - over + late)
        assert len(course.judge().findings) == findings


def test_an_entry_that_says_another_time_than_clients_saw_is_found() -> None:
    """A client has seen the game without the expiry, long after the moment that stands in it."""
    course = Course()
    over = course.game.clock.over_at(course.game.clock.waits[0])
    before = course.game.table.version
    course.expire()
    for at, findings in ((over + LATEST, 0), (over + LATEST + 1, 1)):
        looks = [Look(at, before), Look(at + 50_000, course.game.table.version)]
        watched = Watched(course.game.at, looks)
        assert len(course.judge(watched).findings) == findings


def test_an_expiry_that_comes_twice_or_of_nothing_is_found() -> None:
    """Of the same deadline, and of one at which nobody was waited for."""
    course = Course()
    course.expire()
    time = course.time
    (expiry,) = time.expiries
    watched = Watched(course.game.at)
    twice = replace(time, expiries=(expiry, expiry._replace(version=expiry.version + 9)))
    (finding,) = judge("it", twice, (), watched).findings
    assert "expired 2 times" in finding
    strange = replace(time, expiries=(expiry, expiry._replace(deadline=1)))
    assert any("nobody waited" in each for each in judge("it", strange, (), watched).findings)


def test_an_expiry_that_comes_too_early_is_found() -> None:
    """A moment before the grace is over."""
    course = Course()
    course.expire()
    time = course.time
    (expiry,) = time.expiries
    early = replace(time, expiries=(expiry._replace(at=expiry.at - 1),))
    (finding,) = judge("it", early, (), Watched(course.game.at)).findings
    assert "1 ms too early" in finding


def test_a_refusal_that_the_log_does_not_know_of_is_found() -> None:
    """Who is told that their time was over finds it in the log, in time, as their own, and by the version told."""
    course = Course()
    course.expire()
    (expiry,) = course.time.expiries
    right = Late(0, expiry.at, expiry.version)
    for late, findings in (
        (right, 0),
        (right._replace(seat=1), 1),
        (right._replace(version=expiry.version - 1), 1),
        (right._replace(sent=expiry.at + LATEST + 1), 1),
    ):
        assert len(course.judge(Watched(course.game.at, [], [late])).findings) == findings


def test_credits_without_a_cause_are_counted() -> None:
    """They are in nobody's disfavour, but somebody who reads the figures should know."""
    course = Course()
    course.be_away()
    course.expire()
    before = replace(course.outage, since=0, down=0, up=0, whole=0)
    assert course.judge(None, before).unexplained == 1


def test_an_offer_that_expires_is_one_expiry() -> None:
    """The wait ends with the entry behind the expiry, which declines the offer."""
    game = ClockedGame(3, "classic", 3, SETTINGS)
    while not any(each.awaited.offer is not None for each in game.clock.waits):
        game._step(frozenset())  # noqa: SLF001 - one step of the random game
    wait = next(each for each in game.clock.waits if each.awaited.offer is not None)
    game.at = game.clock.over_at(wait)
    game.send(CLOCK, expiry_of(wait))
    judged = judge("it", read_time(game.log), (), Watched(game.at))
    assert judged.findings == []
    assert judged.expiries >= 1
