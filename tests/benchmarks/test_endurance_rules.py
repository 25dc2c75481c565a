"""What counts as lost, doubled, grown and late in a run of endurance, and when which process is restarted."""

import signal
from collections import Counter
from itertools import pairwise

import pytest

from tests.benchmarks.endurance.accounts import Account, Acknowledged, Entry, account
from tests.benchmarks.endurance.growth import growth
from tests.benchmarks.endurance.lag import lag
from tests.benchmarks.endurance.schedule import schedule

NAMES = ("store", "web", "worker", "projector", "bots", "webhooks")
LOG = [
    Entry(1, "a", "host", begins=True),
    Entry(2, "b", "seat:0", begins=True),
    Entry(3, "c", "seat:0", begins=False),
    Entry(4, "d", "seat:1", begins=True),
]
FIRST, SECOND = Acknowledged(0, 3, "c", 2), Acknowledged(1, 4, "d", 1)


def test_commands_that_are_in_the_log_as_they_were_acknowledged_are_neither_lost_nor_doubled() -> None:
    """Version, hash, seat and number of entries are those that were told; the host's command is nobody's here."""
    assert account(LOG, [FIRST, SECOND], 0, {0, 1}) == Account(lost=0, doubled=0)


@pytest.mark.parametrize(
    "told",
    [
        Acknowledged(1, 5, "e", 1),
        Acknowledged(1, 4, "x", 1),
        Acknowledged(0, 4, "d", 1),
        Acknowledged(1, 4, "d", 2),
    ],
    ids=["beyond the end", "another hash", "another seat", "more entries"],
)
def test_an_acknowledged_command_that_the_log_does_not_have_so_is_lost(told: Acknowledged) -> None:
    """And what stands in its place was acknowledged to nobody: it is one command too many."""
    assert account(LOG, [FIRST, told], 0, {0, 1}).lost == 1


def test_a_log_that_is_gone_has_lost_everything() -> None:
    """Nothing is doubled by that."""
    assert account([], [FIRST, SECOND], 0, {0, 1}) == Account(lost=2, doubled=0)


def test_of_two_commands_with_one_place_in_the_log_one_is_lost() -> None:
    """Two different commands cannot have been answered with the same entries."""
    assert account(LOG, [FIRST, SECOND, SECOND], 0, {0, 1}).lost == 1


def test_a_command_that_was_acknowledged_once_and_stands_there_twice_is_doubled() -> None:
    """So it would be if a repeated request were applied again."""
    twice = [*LOG, Entry(5, "e", "seat:1", begins=True)]

    assert account(twice, [FIRST, SECOND], 0, {0, 1}) == Account(lost=0, doubled=1)


def test_a_command_without_an_answer_may_be_in_the_log_or_not() -> None:
    """Neither is a fault; but one more than that is."""
    more = [*LOG, Entry(5, "e", "seat:1", begins=True)]

    assert account(LOG, [FIRST, SECOND], 1, {0, 1}) == Account(0, 0)
    assert account(more, [FIRST, SECOND], 1, {0, 1}) == Account(0, 0)
    assert account([*more, Entry(6, "f", "seat:0", begins=True)], [FIRST, SECOND], 1, {0, 1}).doubled == 1


def test_commands_of_bots_are_in_nobodys_accounts() -> None:
    """Only what is asked for is counted: seat 1 is a bot's here."""
    assert account(LOG, [FIRST], 0, {0}) == Account(0, 0)


def sawtooth(lives: int, seconds: int, slope: float, drift: float = 0.0) -> list[tuple[float, float]]:
    """A process that takes 50 at each start, `slope` more each second, and `drift` for ever."""
    return [(float(at), 50 + slope * (at % seconds) + drift * at) for at in range(0, lives * seconds, 2)]


def test_a_process_that_stays_as_it_is_does_not_grow() -> None:
    """Nor where it wavers by less than what counts."""
    series = [(float(at), 50.0 + at % 7) for at in range(1800)]
    found = growth(series, 0, 1800, least=8)

    assert found is not None
    assert not found.grew
    assert found.per_hour == pytest.approx(0, abs=6)


def test_what_is_higher_in_the_last_third_than_in_the_second_has_grown() -> None:
    """By more than 5 % and more than the least; its slope is said per hour: 0.05 a second is 180."""
    found = growth(sawtooth(1, 1800, 0.05), 0, 1800, least=8)

    assert found is not None
    assert found.grew
    assert found.per_hour == pytest.approx(180, rel=0.02)
    assert found.beginning < found.second < found.last < found.end


def test_warming_up_in_the_first_third_is_no_growth() -> None:
    """Caches fill."""
    series = [(float(at), min(50 + at * 0.2, 150.0)) for at in range(1800)]
    found = growth(series, 0, 1800, least=8)

    assert found is not None
    assert not found.grew


def test_restarts_do_not_hide_what_grows_between_them() -> None:
    """Each third has the same median, and each life grows all the same."""
    restarts = [300.0, 600.0, 900.0, 1200.0, 1500.0]
    leaking = growth(sawtooth(6, 300, 0.3), 0, 1800, least=8, restarts=restarts)
    sound = growth(sawtooth(6, 300, 0.01), 0, 1800, least=8, restarts=restarts)

    assert leaking is not None
    assert sound is not None
    assert leaking.per_hour == pytest.approx(0, abs=1)
    assert leaking.in_a_life == pytest.approx(30, rel=0.05)
    assert leaking.grew
    assert not sound.grew


def test_short_lives_tell_nothing_about_growth() -> None:
    """A process of a minute is still warming up."""
    found = growth(sawtooth(10, 60, 1.0), 0, 600, least=8, restarts=[60.0 * each for each in range(1, 10)])

    assert found is not None
    assert found.in_a_life is None


def test_whose_work_it_is_to_keep_things_may_grow_by_what_it_keeps_and_no_more() -> None:
    """The store, which keeps every game."""
    series = sawtooth(6, 300, 0.0, drift=0.1)

    allowed = growth(series, 0, 1800, least=8, allowed_per_hour=360)
    beyond = growth(series, 0, 1800, least=8, allowed_per_hour=180)

    assert allowed is not None
    assert beyond is not None
    assert not allowed.grew
    assert beyond.grew


def test_where_it_was_not_looked_nothing_is_said() -> None:
    """A process without samples is not one that does not grow."""
    assert growth([(float(at), 50.0) for at in range(900)], 0, 1800, least=8) is None


def steady(value: float = 0.02, seconds: int = 100) -> list[tuple[float, float]]:
    """A lag that is always the same."""
    return [(each / 2, value) for each in range(2 * seconds)]


def replaced(begin: float, end: float, value: float) -> list[tuple[float, float]]:
    """A short lag, but for one long time."""
    return [(at, value if begin <= at < end else short) for at, short in steady()]


def test_a_lag_after_a_restart_that_ends_is_only_measured() -> None:
    """Until the last moment of more than a second; what comes before that says nothing about calm times."""
    found = lag("it", replaced(50, 54, 3.0), [(50.0, "web")])

    assert found.findings == ()
    assert found.after == {"web": 3.5}
    assert found.calm_most == 0.02


def test_a_lag_that_is_not_over_before_the_next_restart_is_a_finding() -> None:
    """Nor may it last for half a minute where nothing else happens."""
    late = lag("it", replaced(50, 70, 3.0), [(50.0, "web"), (60.0, "worker"), (80.0, "web")])
    for_ever = lag("it", replaced(50, 100, 3.0), [(50.0, "web")])

    assert late.findings == ("it was not over 10 s after a restart of web",)
    assert "it was not over 30 s after a restart of web" in for_ever.findings


def test_a_lag_without_a_restart_is_a_finding() -> None:
    """p99 may be a second, and the longest five."""
    often = lag("it", replaced(20, 30, 2.0), [(50.0, "web")])
    once = lag("it", [*steady(seconds=1000), (10.2, 6.0)], [(500.0, "web")])

    assert [text.partition(",")[0] for text in often.findings] == ["it outside of restarts: p99 2.0 s"]
    assert [text.partition(",")[0] for text in once.findings] == ["it outside of restarts: at most 6.0 s"]


def test_every_process_is_restarted_in_turn_by_both_signals() -> None:
    """At even distances, and so that each third of a run in which growth is judged has whole rounds."""
    plan = schedule(NAMES, 1800)
    thirds = [[each for each in plan if third * 600 <= each.after < (third + 1) * 600] for third in range(3)]

    distances = {round(later.after - one.after, 6) for one, later in pairwise(plan)}
    assert distances == {50.0}
    assert [Counter(each.name for each in third) for third in thirds] == [
        Counter(dict.fromkeys(NAMES, 2))
    ] * 3
    assert Counter((each.name, each.signal) for each in plan) == Counter(
        {(name, number): 3 for name in NAMES for number in (signal.SIGTERM, signal.SIGKILL)}
    )


def test_also_a_short_run_restarts_every_process() -> None:
    """Once, with time to recover between."""
    plan = schedule(NAMES, 180)

    assert [each.name for each in plan] == list(NAMES)
    assert plan[0].after == 15.0
    assert plan[-1].after == 165.0
