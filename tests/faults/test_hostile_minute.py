"""The hostile minute in short: `make hostile` is the long form."""

import sys
from pathlib import Path
from threading import Event

import pytest

from tests.faults.hostile_minute import Player, lengths, run, taken_between
from tests.support.http_play import OverHttp
from tests.support.second_verifier import node_program


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="what processes hold is read from /proc")
def test_nobody_outgrows_the_service(tmp_path: Path) -> None:
    """docs/limits.md: while everybody does their worst others play on, and nothing of it stays."""
    node_program()
    found = run(tmp_path, seconds=12.0, clients=4)
    # How fast it is says nothing on a machine that has other tests to run.
    assert [each for each in found if "p99" not in each] == []


def test_what_players_waited_for_is_told_from_what_they_had_waited_before() -> None:
    """Of each player what came meanwhile, of none what came before or afterwards."""
    players = [Player(OverHttp(1), "", number, Event()) for number in range(3)]

    def wait_for(seconds: float) -> list[int]:
        for each in players:
            each.took += [seconds] * (each.number + 1)
        return lengths(players)

    begun, ended = wait_for(1.0), wait_for(2.0)
    wait_for(3.0)
    assert taken_between(players, begun, ended) == [2.0] * 6
