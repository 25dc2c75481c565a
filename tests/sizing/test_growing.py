"""docs/growing.md follows from what the other documents say was measured."""

import pytest

from tests.sizing.measured import ALL, Measured
from tests.sizing.needs import Assumptions, needs
from tests.sizing.page import PAGE, page


@pytest.mark.parametrize("figure", ALL, ids=lambda figure: figure.what)
def test_each_figure_stands_where_it_was_measured(figure: Measured) -> None:
    """Where it is measured anew, `tests/sizing/measured.py` has to follow."""
    assert figure.stands_there()


def test_a_figure_that_was_measured_otherwise_is_noticed() -> None:
    """By its words, and by its value."""
    assert not ALL[0]._replace(value=0.38).stands_there()
    assert not ALL[0]._replace(words="a command costs the web processes 0.39 ms").stands_there()


def test_the_page_is_what_the_calculation_says() -> None:
    """After a change: `python -m tests.sizing`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_a_machine_with_more_memory_takes_new_games_for_longer_and_a_small_one_not_for_years() -> None:
    """Of 100 games a day, where the store has half of 2 GB: weeks, by what is not archived yet alone."""
    days = [needs(100, Assumptions(server=memory / 2)).full_after for memory in (2, 4, 16)]
    assert days == sorted(days)
    assert days[0] < 100


def test_ten_times_the_games_take_ten_times_the_memory_and_never_fewer_processes() -> None:
    """Of everything that grows with the games."""
    few, many = needs(1_000), needs(10_000)
    assert many.live == pytest.approx(10 * few.live)
    assert many.stays == pytest.approx(10 * few.stays)
    assert many.disk == pytest.approx(10 * few.disk)
    assert many.backup == pytest.approx(10 * few.backup)
    assert many.commands == pytest.approx(10 * few.commands)
    assert (many.web, many.workers, many.primaries) >= (few.web, few.workers, few.primaries)
    assert many.full_after < few.full_after


def test_what_is_archived_sooner_fills_less_and_what_stays_is_the_same() -> None:
    """So archiving alone does not keep a store from filling."""
    late, soon = needs(10_000, Assumptions(archived_after=30)), needs(10_000, Assumptions(archived_after=1))
    assert soon.live < late.live
    assert soon.disk < late.disk
    assert (soon.stays, soon.disk_stays, soon.backup_stays) == (
        late.stays,
        late.disk_stays,
        late.backup_stays,
    )
    assert soon.full_after > late.full_after
