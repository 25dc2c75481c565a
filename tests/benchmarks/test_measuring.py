"""How both sides of a comparison are measured: by turns, after a round that does not count."""

from pathlib import Path

from tests.benchmarks.figures import Goal
from tests.benchmarks.measuring import Side, command_for, compared, percentile, rate
from tests.benchmarks.peers.installed import Peers


def test_both_sides_take_turns_after_a_round_each_that_does_not_count() -> None:
    """So whatever else the machine does meets both."""
    asked: list[str] = []

    def side(name: str) -> Side:
        def measure() -> float:
            asked.append(name)
            return float(len(asked))

        return Side(name, measure)

    row = compared("row", "things/s", goal=Goal(at_least=1.0), ours=side("A"), beside=side("B"), rounds=2)

    assert "".join(asked) == "BA" + "AB" + "AB"
    assert row.ours.values == (3.0, 5.0)
    assert row.beside is not None
    assert row.beside.values == (4.0, 6.0)


def test_peers_that_are_not_wanted_are_left_out_though_installed(tmp_path: Path) -> None:
    """The row says that it was asked for."""
    peers = Peers(wanted=False, python=tmp_path)
    beside = Side("its peer", lambda: peers.rate("python_chess", "push", 1.0))

    row = compared(
        "row", "things/s", goal=Goal(at_least=1.0), ours=Side("ours", lambda: 2.0), beside=beside, rounds=1
    )

    assert row.beside is None
    assert row.notes == ("its peer: Left out as asked (--without-peers).",)


def test_a_rate_counts_what_was_done_at_least_once() -> None:
    """Also where one time takes longer than the round."""
    done: list[int] = []

    def work() -> int:
        done.append(1)
        return sum(range(1_000)) and 5

    assert rate(work, 0.0) > 0
    assert len(done) == 1


def test_a_percentile_is_one_of_the_values() -> None:
    """The smallest that so many percent do not exceed."""
    assert percentile([4, 1, 3, 2], 50) == 2
    assert percentile(range(1, 1_001), 99) == 990
    assert percentile([7.0], 99) == 7.0


def test_a_row_names_the_command_for_its_benchmark() -> None:
    """The part after the slash is the row's own."""
    assert command_for("fold/python-chess") == "python -m tests.benchmarks --only fold"
