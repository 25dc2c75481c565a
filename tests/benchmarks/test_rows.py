"""Each benchmark runs, at a tiny size, and gives rows of the right shape; nobody asks here how fast anything is."""

import random
from pathlib import Path

import pytest

from events.log.disclosure import ALL
from tests.benchmarks.figures import Benchmark
from tests.benchmarks.games import played_games
from tests.benchmarks.long_game import long_game
from tests.benchmarks.peers.installed import PeerFailed, Peers
from tests.benchmarks.random_play import begun_table
from tests.benchmarks.rows.auditing import Auditing, chained, record_of
from tests.benchmarks.rows.environment import Environment
from tests.benchmarks.rows.exporting import Exporting
from tests.benchmarks.rows.folding import Folding
from tests.benchmarks.rows.growing import Growing
from tests.benchmarks.rows.memory import Memory
from tests.benchmarks.rows.replaying import NotAsRecorded, Replaying, replayed
from tests.benchmarks.rows.seeking import Seeking
from tests.benchmarks.rows.self_play import SelfPlay, played
from tests.benchmarks.rows.starting import help_shown

TINY = 0.001
"""Seconds of a round."""
MISSING = Peers(python=Path("nowhere"))


@pytest.mark.parametrize(
    ("tiny", "rows", "units"),
    [
        (Replaying(1, TINY), ["replay"], {"steps/s"}),
        (Folding(1, TINY), ["fold/python-chess", "fold/eventsourcing"], {"steps/s", "events/s"}),
        (Auditing(1, TINY), ["audit", "audit/public", "audit/two-engines"], {"entries/s"}),
        (SelfPlay(TINY), ["self-play/python-chess", "self-play/catanatron"], {"moves/s"}),
        (
            Environment(TINY),
            ["environment/rlcard", "environment/open-spiel", "environment/pettingzoo"],
            {"actions/s"},
        ),
        (Seeking(400, 5, 2), ["seek/record", "seek/service"], {"ms"}),
        (Exporting(400), ["export"], {"s"}),
        (Growing(400, 2), ["long-game"], {"ms"}),
        (Memory(1), ["memory/live", "memory/archived"], {"bytes/event"}),
    ],
    ids=lambda value: value.name if hasattr(value, "name") else None,
)
def test_a_benchmark_gives_its_rows_with_a_value_for_each_round(
    tiny: Benchmark, rows: list[str], units: set[str]
) -> None:
    """Each begins with the benchmark's name, which measures it alone."""
    found = list(tiny.run(1, MISSING))

    assert [row.name for row in found] == rows
    assert {row.ours.unit for row in found} == units
    for row in found:
        assert len(row.ours.values) == 1
        assert row.ours.lowest > 0
        assert row.command == f"python -m tests.benchmarks --only {tiny.name}"


def test_a_row_without_its_peer_says_how_to_install_it() -> None:
    """Our own figure is there all the same."""
    (row,) = Replaying(1, TINY).run(1, MISSING)

    assert row.beside is None
    assert row.reached is None
    assert row.notes[-1] == "python-chess push_uci: Not installed. `make peers` installs it."


def test_a_peer_that_breaks_fails_with_what_it_said(tmp_path: Path) -> None:
    """It is not taken for one that is missing."""
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no chess today >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o700)

    with pytest.raises(PeerFailed, match="no chess today"):
        list(Replaying(1, TINY).run(1, Peers(python=broken)))


def test_checked_replay_finds_what_the_rules_do_not_answer() -> None:
    """It would be no check otherwise."""
    (game,) = played_games(1)

    assert replayed(game.table.rules, game.log) == game.table.state
    swapped = (*game.log[:10], game.log[11], game.log[10], *game.log[12:])
    with pytest.raises((NotAsRecorded, ValueError)):
        replayed(game.table.rules, swapped)
    within_a_command = next(place for place, entry in enumerate(game.log) if not entry.command)
    with pytest.raises(NotAsRecorded, match="missing"):
        replayed(game.table.rules, game.log[:within_a_command])


def test_following_the_chain_finds_an_entry_that_was_changed() -> None:
    """It would be no chain otherwise."""
    lines = list(record_of(played_games(1)[0], ALL))
    assert chained(lines) == len(lines) - 2
    lines[5] = lines[5].replace(b'"at":', b'"at":1')

    with pytest.raises(ValueError, match="entry 5"):
        chained(lines)


def test_a_random_game_comes_to_its_end() -> None:
    """Its commands are those of the players alone."""
    begun, _ = begun_table("here", "classic", 4)

    assert played(begun, random.Random(1)) > 100


@pytest.mark.parametrize(("to_its_end", "status"), [(True, "finished"), (False, "running")])
def test_a_long_game_is_as_long_as_asked(*, to_its_end: bool, status: str) -> None:
    """Talk makes it long; then it is played to its end, or goes on."""
    table, log = long_game(1_500, to_its_end=to_its_end)

    assert 1_500 <= len(log) < 3_000
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert table.state.status == status


def test_the_command_line_starts() -> None:
    """A time comes out."""
    assert help_shown() > 0
