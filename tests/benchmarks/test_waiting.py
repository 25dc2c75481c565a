"""The measurement of games that wait runs, and finds at a tiny size what it has to find at a large one."""

from click.testing import CliRunner

from service.storage.levels import Durability
from tests.benchmarks.waiting.__main__ import waiting
from tests.benchmarks.waiting.costs import DUE, sweep_costs
from tests.support.server_counts import READING


def test_a_sweep_has_the_store_do_the_same_however_many_games_wait() -> None:
    """And it reads the games that are due."""
    few, more = sweep_costs((2 * DUE, 6 * DUE))
    assert few[1:] == more[1:]
    assert (few.nothing_due[READING], few.ten_due[READING]) == (0, DUE)


def test_everything_is_due_at_once() -> None:
    """A hundred games come back from an outage."""
    result = CliRunner().invoke(waiting, ["--games", "100", "--durability", Durability.MEMORY.value])
    assert result.exit_code == 0, result.output
    assert "| games that were due at once | 100 |" in result.output
    assert "| games in which time was over twice, or too early | 0 |" in result.output
