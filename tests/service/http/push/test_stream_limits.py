"""How many streams a process has room for, by the files that it may open."""

import subprocess
import sys
from itertools import pairwise
from typing import Final

import pytest

from service.http.push import stream_limits
from tests.support.servers import ROOT

SAY: Final = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from service.http.push.stream_limits import make_room, places, places_of
print(make_room(), places(), places_of().caller, sep="|")
"""


@pytest.mark.parametrize(
    ("soft", "hard", "most", "of_one"),
    [
        (256, 4096, 2796, 349),
        (1024, 2000, 700, 87),
        (300, 300, 48, 24),
        (256, 8300, 7000, 500),
        (256, 14300, 10_000, 500),
    ],
)
def test_a_process_takes_the_room_that_it_may_have(soft: int, hard: int, most: int, of_one: int) -> None:
    """Up to the hard limit; where that is too low a sentence says what it is enough for, and what to do."""
    run = subprocess.run(
        [sys.executable, "-c", SAY.format(soft=soft, hard=hard)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    sentence, *found = run.stdout.strip().split("|")
    assert found == [str(most), str(of_one)]
    if most == stream_limits.MOST_STREAMS:
        assert sentence == "None"
    else:
        assert f"{hard} files" in sentence
        assert f"enough for {most} streams" in sentence
        assert "LimitNOFILE=" in sentence


def test_streams_that_begin_together_end_apart() -> None:
    """Spread evenly over the last fifth of their time, so that they do not all come back at once."""
    ends = sorted(stream_limits.lasts(number) for number in range(1, 101))
    assert 480 <= ends[0] <= 482
    assert 598 <= ends[-1] <= 600
    assert max(later - earlier for earlier, later in pairwise(ends)) < 3


def test_streams_that_were_told_something_together_are_heard_apart() -> None:
    """Each once in a heartbeat, at a moment of its own."""
    ends = [1000 + stream_limits.lasts(number) for number in range(10_000)]
    step, beats = 0.25, int(stream_limits.HEARTBEAT_SECONDS / 0.25)
    heard = [
        [stream_limits.beats(each, 1000 + step * turn, 1000 + step * (turn + 1)) for each in ends]
        for turn in range(beats)
    ]
    assert {sum(turns) for turns in zip(*heard, strict=True)} == {1}
    assert all(sum(turn) <= 2 * len(ends) / beats for turn in heard)
