"""The arithmetic of the benchmarks: ratios and goals, rates, percentiles, seasons, luck, strength and growth."""

import json
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.bots import BOTS
from tests.benchmarks.__main__ import bench
from tests.benchmarks.chosen import ChosenGame, Step
from tests.benchmarks.figures import Comparison, Figure, Goal, Side, compared, percentile, rate
from tests.benchmarks.load import Plan, Run
from tests.benchmarks.peers import Peers
from tests.benchmarks.rows import ROWS
from tests.benchmarks.studies.collusion import COLLUDERS, Bank, measure, season
from tests.benchmarks.studies.growth import BY_GAMES, power
from tests.benchmarks.studies.luck import PlayedRound, Setting, luck_in, play_round
from tests.benchmarks.studies.ratings import with_interval
from tests.benchmarks.studies.strength import gains, interval
from tests.benchmarks.table import Table, as_json, as_markdown
from tests.replay.across.screening.made_up_games import made_up_games


def row(ours: tuple[float, ...], baseline: tuple[float, ...] | None, goal: Goal) -> Comparison:
    """Return a row with these rounds."""
    theirs = None if baseline is None else Figure(what="its peer", unit="events/s", values=baseline)
    mine = Figure(what="events evolved", unit="events/s", values=ours)
    return Comparison(name="replay/it", ours=mine, baseline=theirs, goal=goal)


def test_a_ratio_is_taken_within_each_round() -> None:
    """A round on a slow machine gives the same ratio."""
    measured = row((10.0, 1.0, 30.0), (5.0, 0.5, 10.0), Goal(at_least=2.0))

    assert (measured.ours.median, measured.ours.lowest, measured.ours.highest) == (10.0, 1.0, 30.0)
    assert (measured.ratios, measured.ratio, measured.reached) == ((2.0, 2.0, 3.0), 2.0, True)
    assert measured.command == "python -m tests.benchmarks --only replay"


def test_a_goal_bounds_the_ratio_or_the_figure_from_one_side() -> None:
    """The bound itself is reached; without its peer a ratio is unknown."""
    reached = {
        Goal(at_most=2.0): True,
        Goal(at_most=1.9): False,
        Goal(of="figure", at_most=20.0): True,
        Goal(of="figure", at_least=20.5): False,
    }
    assert {goal: row((20.0,), (10.0,), goal).reached for goal in reached} == reached
    assert row((20.0,), None, Goal(at_least=1.0)).reached is None
    with pytest.raises(ValueError, match="one bound"):
        Goal(at_least=1.0, at_most=2.0)
    with pytest.raises(ValueError, match="each round"):
        row((1.0,), (1.0, 2.0), Goal(at_least=1.0))


def test_both_sides_take_turns_after_a_round_each_that_does_not_count() -> None:
    """A peer that is left out is named in a note."""
    called: list[str] = []

    def side(name: str) -> Side:
        def measured() -> float:
            called.append(name)
            return float(len(called))

        return Side(name, measured)

    found = compared("row", "things/s", goal=Goal(at_least=1.0), ours=side("A"), baseline=side("B"), rounds=2)
    assert ("".join(called), found.ours.values) == ("BAABAB", (3.0, 5.0))
    missing = Side("its peer", lambda: Peers(wanted=False).rate("push_uci", 1.0))
    alone = compared("row", "things/s", goal=Goal(at_least=1.0), ours=side("A"), baseline=missing, rounds=1)
    assert (alone.baseline, alone.notes) == (None, ("its peer: Left out (--without-peers).",))


def test_rates_and_percentiles() -> None:
    """Work is done at least once; a percentile is one of the values."""
    work = iter([1_000, 1])
    assert rate(lambda: sum(range(next(work))), 0.0) > 0
    assert next(work) == 1
    assert (percentile([4, 1, 3, 2], 50), percentile(range(1, 1_001), 99), percentile([7.0], 99)) == (
        2,
        990,
        7,
    )
    assert interval([1.0]) == (1.0, float("inf"))
    assert interval([0.0, 2.0])[1] == pytest.approx(12.71, rel=0.001)
    assert with_interval([0.4, 0.6]) == "0.500 (0.304 to 0.696)"


def test_the_table_has_each_row_with_its_spread_and_what_failed() -> None:
    """Both in Markdown and in JSON."""
    fast = row((120_000.0, 100_000.0, 110_000.0), (60_000.0, 50_000.0, 100_000.0), Goal(at_least=1.5))
    table = Table(machine={"cores": "2"}, rounds=3, rows=[fast], failed={"start": "OSError: no room"})

    text, document = as_markdown(table), json.loads(as_json(table))
    assert (
        "| replay/it | events evolved: 110,000 events/s (100,000 to 120,000) | its peer: 60,000 events/s (50,000 to"
        " 100,000) | 2 (1.1 to 2) | ratio at least 1.5 | reached |"
    ) in text
    assert "- `start` could not be measured: OSError: no room\n" in text
    assert document["rows"][0]["ours"]["values"] == [120_000.0, 100_000.0, 110_000.0]
    assert (document["rows"][0]["ratio"], document["rows"][0]["reached"]) == (2.0, True)


def test_the_command_lists_its_benchmarks_and_refuses_files_that_cannot_be_written(tmp_path: Path) -> None:
    """Nothing is measured."""
    listed = CliRunner().invoke(bench, ["--list"])
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [*ROWS]
    refused = CliRunner().invoke(bench, ["--only", "audit", "--json", str(tmp_path / "none" / "table.json")])
    assert (refused.exit_code, "cannot be written" in refused.stderr) == (2, True)


def test_at_a_rate_a_pause_of_the_server_counts_for_every_command_that_was_due_meanwhile() -> None:
    """Else a server would be the faster, the longer it keeps its callers waiting."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with ExitStack() as stack:
            players = [stack.enter_context(listener.accept()[0]) for _ in range(4)]
            for number in range(400):
                if not players[0].recv(65536):
                    return
                time.sleep(0.3 if number == 10 else 0.0)
                players[0].sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    serving = Thread(target=serve, daemon=True)
    serving.start()
    game = ChosenGame("game", tuple(Step(0, b"POST / HTTP/1.1\r\n\r\n") for _ in range(400)), 400)
    port = listener.getsockname()[1]
    found = Run(Plan(port=port, lanes=((game,),), warm_up=0.0, seconds=1.0, rate=100.0)).report()
    serving.join()
    listener.close()

    assert len([taken for taken in found.milliseconds if taken > 100]) >= 10
    assert found.counted == len(found.milliseconds) >= 60


def test_planted_pairs_are_counted_as_found_and_others_as_accused() -> None:
    """Two players give each other more."""
    honest = tuple(made_up_games(60, "h"))
    seats = {"p0": "tried 0", "p1": "tried 1", "p2": "other 2", "p3": "other 3"}
    more = [
        replace(game, players=tuple(map(seats.__getitem__, game.players)))
        for game in made_up_games(60, "c", players=4, favour=2.0)
    ]

    games = season(Bank(honest, more), 6, 60, "s")
    assert any({*COLLUDERS} <= {*game.players} for game in games)
    found = measure(Bank(honest, more), 0.5, 60, 5, pool=6, draws=39)
    fair = measure(Bank(honest), 0, 60, 5, pool=6, draws=39)
    assert (found.found, found.seasons, found.honest) == (5, 5, 5 * 14)
    assert (fair.found, fair.honest) == (0, 5 * 15)


def test_what_the_same_deal_takes_out_is_the_part_of_the_variance_that_is_gone() -> None:
    """Here three quarters of it; players without errors are level with the same deal."""
    luck = luck_in([PlayedRound((1.0, -1.0), (2.0, -2.0))] * 5, "1")
    assert [*luck] == [1, 4, 0.75, (0.75, 0.75)]
    known = {*BOTS}
    played = play_round(Setting("bean-duel", 2, 3, 0.0, "1"), 1)
    assert ([*played.alike], {*BOTS}) == ([0.0] * 6, known)
    assert sum(played.apart) == pytest.approx(0)


def test_strength_and_growth() -> None:
    """A bot is compared with the other one in the same seat and with its neighbours; the last decade decides."""
    assert gains([10, 9], [[13, 7], [10, 8]]) == (1, 2)
    values = {100: 1.0, 1_000: 9.0, 10_000: 9.0}
    assert power({size: dict.fromkeys(BY_GAMES, value) for size, value in values.items()}, "list") == 0
